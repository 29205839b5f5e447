package org.sluiceca.api.http.connector;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Places for TLS handshakes that have begun and are not over, where each keeps some 30 KB between
 * its flights. Without a bound a herd's first flights are all answered before any second one is
 * read: a thousand handshakes were half of a heap of 96 MB. Who finds no place waits before
 * anything is read of it, at the cost of a parked virtual thread. How long a handshake may take is
 * {@link SlowConnections}' to say. Thread-safe.
 *
 * @param <C> a connection, by its identity
 */
final class Handshakes<C> {

  private final Semaphore places;
  private final Set<C> begun = ConcurrentHashMap.newKeySet();
  private final Predicate<C> isOver;
  private final long waitNanos;

  /**
   * No connection is in its handshake.
   *
   * @param max at once, at least 1
   * @param isOver whether a connection has its session, needs none, or is closed
   * @param waitNanos how long to wait for a place
   */
  Handshakes(int max, Predicate<C> isOver, long waitNanos) {
    // Fair: who has waited for longest is next.
    this.places = new Semaphore(max, true);
    this.isOver = isOver;
    this.waitNanos = waitNanos;
  }

  /**
   * Takes a place if this connection is to begin its handshake; one that is in it has one already.
   * Returns false if there was none in time, or the node is stopping. By one thread for each
   * connection at a time.
   */
  boolean begin(C connection) {
    if (isOver.test(connection) || begun.contains(connection)) {
      return true;
    }
    try {
      if (!places.tryAcquire(waitNanos, TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    begun.add(connection);
    return true;
  }

  /** Gives the place back if the handshake is over; to be called whenever it went on. */
  void settle(C connection) {
    if (isOver.test(connection) && begun.remove(connection)) {
      places.release();
    }
  }

  /** Settles all, for those that were closed without a report; from time to time. */
  void settleAll() {
    begun.forEach(this::settle);
  }
}
