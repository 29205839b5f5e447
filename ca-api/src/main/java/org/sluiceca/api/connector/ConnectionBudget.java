package org.sluiceca.api.connector;

/** How many connections the heap bears (docs/performance/CONNECTIONS.md). */
final class ConnectionBudget {

  /** What a node needs for everything else: 49 MB live, measured, and room for the collector. */
  static final long NODE_BYTES = 64L << 20;

  /** Heap of an idle TLS connection, 7 KB, and of one in ten that is in a request, 110 KB. */
  static final long CONNECTION_BYTES = 18L << 10;

  /**
   * One connection in so many may be in a request. The 18 KB would bear one in ten, but the old
   * generation is two thirds of the heap, and the collector needs room: with one in ten, 1,043 at
   * once, it did nothing else on 256 MB.
   */
  private static final int CONNECTIONS_A_TURN = 40;

  /** 10 MB: more than two cores can be busy with, and less than the node's slack. */
  private static final int TURNS_MIN = 96;

  /** What the line admits. */
  private static final int TURNS_MAX = 512;

  /** 30 KB each, which is 3 KB of a connection's 18. */
  private static final int CONNECTIONS_A_HANDSHAKE = 10;

  /** More than two cores have under way in a second over a WAN. */
  private static final int HANDSHAKES_MIN = 96;

  /** 30 MB. */
  private static final int HANDSHAKES_MAX = 1_024;

  /** Fewer would not serve a trial. */
  private static final int CONNECTIONS_MIN = 256;

  private ConnectionBudget() {}

  static int ofHeap() {
    return of(Runtime.getRuntime().maxMemory());
  }

  /** Returns how many of so many connections the heap bears; all that it bears if -1. */
  static int bearable(int connections) {
    return connections < 0 ? ofHeap() : Math.min(connections, ofHeap());
  }

  /** Returns how many of so many connections may be in a request at once. */
  static int turns(int connections) {
    return Math.clamp(connections / CONNECTIONS_A_TURN, TURNS_MIN, TURNS_MAX);
  }

  /** Returns how many of so many connections may be in their TLS handshake at once. */
  static int handshakes(int connections) {
    return Math.clamp(connections / CONNECTIONS_A_HANDSHAKE, HANDSHAKES_MIN, HANDSHAKES_MAX);
  }

  static int of(long heapBytes) {
    return Math.clamp(
        (heapBytes - NODE_BYTES) / CONNECTION_BYTES, CONNECTIONS_MIN, Integer.MAX_VALUE);
  }
}
