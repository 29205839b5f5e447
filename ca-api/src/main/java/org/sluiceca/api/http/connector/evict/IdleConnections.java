package org.sluiceca.api.http.connector.evict;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a port that are between requests, in the order in which they are closed when
 * the port is full: first those that never sent a request, then those that are kept open after one,
 * the longest-idle first of each. A connection in the midst of a request is in neither set.
 * Thread-safe; no call blocks for longer than it takes to sort a connection in.
 *
 * @param <C> a connection, by its identity
 */
public final class IdleConnections<C> {

  private record Idle<C>(C connection, long sinceNanos, long number) {}

  private final ReentrantLock lock = new ReentrantLock();

  /** All that are open, whether idle or not. */
  @GuardedBy("lock")
  private final Set<C> open = new HashSet<>();

  @GuardedBy("lock")
  private final Map<C, Idle<C>> idle = new HashMap<>();

  @GuardedBy("lock")
  private final NavigableSet<Idle<C>> unused = new TreeSet<>(oldestFirst());

  @GuardedBy("lock")
  private final NavigableSet<Idle<C>> kept = new TreeSet<>(oldestFirst());

  /** Distinguishes those that became idle at the same time. */
  @GuardedBy("lock")
  private long number;

  private final Predicate<C> isClosed;
  private final long unusedNanosMin;

  /**
   * No connection is open.
   *
   * @param isClosed whether a connection was closed, by either side
   * @param unusedNanosMin how long a connection has from its beginning to its first request before
   *     it counts as idle: without it a crowd of honest clients would close each other's handshakes
   */
  public IdleConnections(Predicate<C> isClosed, long unusedNanosMin) {
    this.isClosed = isClosed;
    this.unusedNanosMin = unusedNanosMin;
  }

  private static <C> Comparator<Idle<C>> oldestFirst() {
    return Comparator.<Idle<C>>comparingLong(Idle::sinceNanos).thenComparingLong(Idle::number);
  }

  /** A connection was accepted; nothing happens if it is in a request already. */
  public void accepted(C connection, long nowNanos) {
    lock.lock();
    try {
      if (open.add(connection)) {
        put(unused, connection, nowNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Something came on a connection: it is not idle until one of the next two methods says so. */
  public void busy(C connection) {
    lock.lock();
    try {
      open.add(connection);
      remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** A connection that was accepted at {@code sinceNanos} still has not sent a request. */
  public void unused(C connection, long sinceNanos) {
    lock.lock();
    try {
      remove(connection);
      put(unused, connection, sinceNanos);
    } finally {
      lock.unlock();
    }
  }

  /** A connection is kept open after a request that ended at {@code nowNanos}. */
  public void kept(C connection, long nowNanos) {
    lock.lock();
    try {
      remove(connection);
      put(kept, connection, nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the connection to close so that another one can be served, and forgets it; null if none
   * is idle.
   */
  public @Nullable C takeLongestIdle(long nowNanos) {
    lock.lock();
    try {
      C first = takeFirst(unused, nowNanos - unusedNanosMin);
      return first == null ? takeFirst(kept, nowNanos) : first;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private @Nullable C takeFirst(NavigableSet<Idle<C>> from, long latestNanos) {
    while (!from.isEmpty() && from.first().sinceNanos() <= latestNanos) {
      C connection = from.first().connection();
      remove(connection);
      open.remove(connection);
      if (!isClosed.test(connection)) {
        return connection;
      }
    }
    return null;
  }

  /** Returns how many connections are kept open after a request. */
  public int kept() {
    lock.lock();
    try {
      return kept.size();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets connections that were closed meanwhile; to be called from time to time. */
  public void forgetClosed() {
    lock.lock();
    try {
      idle.keySet().stream().filter(isClosed).toList().forEach(this::remove);
      open.removeIf(isClosed);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void put(NavigableSet<Idle<C>> into, C connection, long sinceNanos) {
    Idle<C> one = new Idle<>(connection, sinceNanos, number++);
    idle.put(connection, one);
    into.add(one);
  }

  @GuardedBy("lock")
  private void remove(C connection) {
    Idle<C> one = idle.remove(connection);
    if (one != null) {
      unused.remove(one);
      kept.remove(one);
    }
  }
}
