package org.sluiceca.api.connector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections that hold buffers while they wait for the rest of a TLS record or of a request's
 * head, oldest first. Each keeps 45 to 67 KB, so only so many may, and not for long: what is honest
 * comes in one piece or within milliseconds. Thread-safe.
 *
 * @param <C> a connection, by its identity
 */
final class PartialInputs<C> {

  /** 128 of 67 KB are 9 MB. */
  static final int MAX = 128;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<C, Long> sinceNanos = new LinkedHashMap<>();

  private final Predicate<C> isClosed;

  PartialInputs(Predicate<C> isClosed) {
    this.isClosed = isClosed;
  }

  /**
   * Adds a connection at {@code now}, unless it is there; returns the one that has waited for
   * longest, if there are too many.
   */
  @Nullable C add(C connection, long now) {
    lock.lock();
    try {
      sinceNanos.putIfAbsent(connection, now);
      if (sinceNanos.size() <= MAX) {
        return null;
      }
      C oldest = sinceNanos.keySet().iterator().next();
      sinceNanos.remove(oldest);
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  /** What it waited for has come; the next wait is a new one. */
  void remove(C connection) {
    lock.lock();
    try {
      sinceNanos.remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Takes out those that have waited for longer than {@code nanos}, and forgets closed ones. */
  List<C> overdue(long now, long nanos) {
    lock.lock();
    try {
      sinceNanos.keySet().removeIf(isClosed);
      List<C> overdue = new ArrayList<>();
      for (Map.Entry<C, Long> one : sinceNanos.entrySet()) {
        if (now - one.getValue() > nanos) {
          overdue.add(one.getKey());
        }
      }
      overdue.forEach(sinceNanos::remove);
      return overdue;
    } finally {
      lock.unlock();
    }
  }
}
