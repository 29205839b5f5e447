package org.sluiceca.api.http.connector;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;

/** How many connections the heap bears (docs/performance/CONNECTIONS.md). */
final class ConnectionBudget {

  /**
   * What a node needs for everything else: 50 MB live, measured; 14 MB of the least turns and of
   * requests that are refused meanwhile; 9 MB of heads and records that are incomplete ({@link
   * PartialInputs}); and 3 MB, since a herd comes with certificates that were never seen.
   */
  static final long NODE_BYTES = 76L << 20;

  /**
   * 10 KB of each when all want something at once, measured: a TLS session, a virtual thread that
   * waits, and its part of the handshakes; and 3 KB, its part of the turns beyond the least.
   */
  static final long CONNECTION_BYTES = 13L << 10;

  /** Of what may live for long: a collector that has no room does nothing but collect. */
  private static final double FILLED = 0.95;

  /**
   * Of this number of connections, one may be in a request, of 110 KB. With one in ten, 1,043 at
   * once, the collector did nothing else on a heap of 256 MB.
   */
  private static final int CONNECTIONS_A_TURN = 40;

  /** 10 MB: more than two cores can be busy with, and less than the node's slack. */
  private static final int SLOTS_MIN = 96;

  /** What the line admits. */
  private static final int SLOTS_MAX = 512;

  /** 30 KB each. */
  private static final int CONNECTIONS_A_HANDSHAKE = 10;

  /** More than two cores have under way in a second over a WAN. */
  private static final int HANDSHAKES_MIN = 96;

  /** 30 MB. */
  private static final int HANDSHAKES_MAX = 1_024;

  /** Fewer would not serve a trial. */
  private static final int CONNECTIONS_MIN = 256;

  private ConnectionBudget() {}

  static int ofHeap() {
    return of(oldBytes());
  }

  /** Where what lives for long must fit: the collector's largest pool, as the old generation. */
  private static long oldBytes() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getUsage)
        .mapToLong(usage -> usage.getMax())
        .max()
        .orElseGet(() -> Runtime.getRuntime().maxMemory());
  }

  /** Returns how many of {@code connections} the heap bears; all that it bears if -1. */
  static int bearable(int connections) {
    return connections < 0 ? ofHeap() : Math.min(connections, ofHeap());
  }

  /** Returns how many of {@code connections} may be in a request at once. */
  static int slots(int connections) {
    return Math.clamp(connections / CONNECTIONS_A_TURN, SLOTS_MIN, SLOTS_MAX);
  }

  /**
   * Returns how many of {@code slots} requests may wait for their bodies: three quarters, so that
   * clients that send bodies slowly leave a quarter to requests that are complete.
   */
  static int bodies(int slots) {
    return Math.max(1, slots * 3 / 4);
  }

  /** Returns how many of {@code slots} may wait for a body without a credential: a quarter. */
  static int anonymousBodies(int slots) {
    return Math.max(1, slots / 4);
  }

  /** Returns how many of {@code connections} may be in their TLS handshake at once. */
  static int handshakes(int connections) {
    return Math.clamp(connections / CONNECTIONS_A_HANDSHAKE, HANDSHAKES_MIN, HANDSHAKES_MAX);
  }

  /** Returns how many connections a heap of this size bears next to the node. */
  static int of(long oldBytes) {
    return (int)
        Math.clamp(
            (FILLED * oldBytes - NODE_BYTES) / CONNECTION_BYTES,
            CONNECTIONS_MIN,
            Integer.MAX_VALUE);
  }
}
