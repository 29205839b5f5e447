package org.sluiceca.api.connector;

/** How many connections the heap bears (docs/performance/CONNECTIONS.md). */
final class ConnectionBudget {

  /** What a node needs for everything else: 49 MB live, measured, and room for the collector. */
  static final long NODE_BYTES = 64L << 20;

  /** Heap of an idle TLS connection, 7 KB, and of one in ten that is in a request, 110 KB. */
  static final long CONNECTION_BYTES = 18L << 10;

  /** Fewer would not serve a trial. */
  private static final int CONNECTIONS_MIN = 256;

  private ConnectionBudget() {}

  static int ofHeap() {
    return of(Runtime.getRuntime().maxMemory());
  }

  static int of(long heapBytes) {
    return Math.clamp(
        (heapBytes - NODE_BYTES) / CONNECTION_BYTES, CONNECTIONS_MIN, Integer.MAX_VALUE);
  }
}
