package org.sluiceca.api.connector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections that wait for the rest of a request's head, oldest first. Each keeps 45 KB of
 * Tomcat's, so only so many may; an honest head comes in one piece or within milliseconds.
 * Thread-safe.
 *
 * @param <C> a connection, by its identity
 */
final class PartialHeads<C> {

  /** 128 of 45 KB are 6 MB. */
  static final int MAX = 128;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<C> waiting = new LinkedHashSet<>();

  private final Predicate<C> isClosed;

  PartialHeads(Predicate<C> isClosed) {
    this.isClosed = isClosed;
  }

  /** Adds a connection; returns the one that has waited for longest, if there are too many. */
  @Nullable C add(C connection) {
    lock.lock();
    try {
      waiting.add(connection);
      if (waiting.size() <= MAX) {
        return null;
      }
      C oldest = waiting.iterator().next();
      waiting.remove(oldest);
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  void remove(C connection) {
    lock.lock();
    try {
      waiting.remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets those that ended without another turn. */
  void forgetClosed() {
    lock.lock();
    try {
      waiting.removeIf(isClosed);
    } finally {
      lock.unlock();
    }
  }
}
