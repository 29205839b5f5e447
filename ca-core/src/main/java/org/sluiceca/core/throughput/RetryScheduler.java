package org.sluiceca.core.throughput;

/**
 * The virtual waiting room: each refused client gets a later slot than the one before, at the rate
 * at which slots can be given, so that clients do not all come back at once. Not thread-safe.
 *
 * <p>{@code V <- max(0, V - rate dt) + 1; (Q - 0.7 Qcap + V) / rate} seconds. V holds no more than
 * drains in the longest wait: a client whose slot would be later is given the longest wait.
 *
 * <p>Waits are whole seconds, so clients that were refused within one twentieth of a second come
 * back within one twentieth of a second. A queue of clients for each such part ensures that no more
 * come together than the line can take.
 */
public final class RetryScheduler {

  /** The longest wait: beyond it clients give up, and the load is a different one. */
  static final double SECONDS_MAX = 300;

  private static final double REFILL = 0.7;

  private static final int ROWS = 20;
  private static final long SECOND = 1_000_000_000L;

  /** What may come at once: some of the line's places are taken then. */
  private static final double AT_ONCE_PART = 0.45;

  private final Row all;
  private final Row[] rows = new Row[ROWS];

  /** Makes an empty room. */
  public RetryScheduler(long nowNanos) {
    this.all = new Row(nowNanos);
    for (int i = 0; i < ROWS; i++) {
      rows[i] = new Row(nowNanos);
    }
  }

  /**
   * Gives the next slot.
   *
   * @param taken requests on the line
   * @param capacity what it takes at most
   * @param perSecond slots a second, above 0
   * @return seconds until then, may be negative
   */
  public double next(long nowNanos, double taken, double capacity, double perSecond) {
    double together = Math.max(1, Math.min(perSecond, AT_ONCE_PART * capacity));
    int rowsUsed = (int) Math.min(ROWS, Math.ceil(perSecond / together));
    int row = (int) (Math.floorMod(nowNanos, SECOND) * rowsUsed / SECOND);
    double inAll = taken - REFILL * capacity + all.add(nowNanos, perSecond);
    return Math.max(inAll / perSecond, rows[row].add(nowNanos, together) / together);
  }

  /** The number of clients that wait for a slot, which drains. */
  private static final class Row {
    private double waiting;
    private long lastNanos;

    Row(long nowNanos) {
      this.lastNanos = nowNanos;
    }

    double add(long nowNanos, double perSecond) {
      drain(nowNanos, perSecond);
      waiting = Math.min(waiting + 1, perSecond * SECONDS_MAX);
      return waiting;
    }

    void drain(long nowNanos, double perSecond) {
      // Never negative: two threads may take the lock in another order than they read the clock.
      double seconds = Math.max(0, nowNanos - lastNanos) / 1e9;
      lastNanos = nowNanos;
      waiting = Math.max(0, waiting - perSecond * seconds);
    }
  }
}
