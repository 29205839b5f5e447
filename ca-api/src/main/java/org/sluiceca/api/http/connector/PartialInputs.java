package org.sluiceca.api.http.connector;

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
 * head, oldest first. Each keeps 45 to 67 KB, so their number and their time are bounded: what is
 * honest comes in one piece or within milliseconds. Thread-safe.
 *
 * @param <C> a connection, by its identity
 */
final class PartialInputs<C> {

  /** 128 of 67 KB are 9 MB. */
  static final int MAX = 128;

  private final ReentrantLock lock = new ReentrantLock();

  /** In the order of their beginning. */
  @GuardedBy("lock")
  private final Map<C, Wait> waits = new LinkedHashMap<>();

  @GuardedBy("lock")
  private int waiting;

  private final Predicate<C> isClosed;

  PartialInputs(Predicate<C> isClosed) {
    this.isClosed = isClosed;
  }

  private static final class Wait {

    final long sinceNanos;
    boolean isInTurn;

    Wait(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  /**
   * Adds a connection at {@code now}, or lets it wait on, as old as it is; returns the one that has
   * waited for longest, if there are too many.
   */
  @Nullable C add(C connection, long now) {
    lock.lock();
    try {
      Wait wait = waits.get(connection);
      if (wait == null) {
        waits.put(connection, new Wait(now));
        waiting++;
      } else if (wait.isInTurn) {
        wait.isInTurn = false;
        waiting++;
      }
      return waiting > MAX ? takeOldest() : null;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private C takeOldest() {
    C oldest =
        waits.entrySet().stream()
            .filter(one -> !one.getValue().isInTurn)
            .findFirst()
            .orElseThrow()
            .getKey();
    drop(oldest);
    return oldest;
  }

  /** Something of what it waited for has come, and is worked on: it does not wait meanwhile. */
  void resume(C connection) {
    lock.lock();
    try {
      Wait wait = waits.get(connection);
      if (wait != null && !wait.isInTurn) {
        wait.isInTurn = true;
        waiting--;
      }
    } finally {
      lock.unlock();
    }
  }

  /** What it waited for has come; the next wait is a new one. */
  void remove(C connection) {
    lock.lock();
    try {
      drop(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Takes out those that have waited for longer than {@code nanos}, and forgets closed ones. */
  List<C> overdue(long now, long nanos) {
    lock.lock();
    try {
      List<C> overdue = new ArrayList<>();
      List<C> over = new ArrayList<>();
      for (Map.Entry<C, Wait> one : waits.entrySet()) {
        if (isClosed.test(one.getKey())) {
          over.add(one.getKey());
        } else if (!one.getValue().isInTurn && now - one.getValue().sinceNanos > nanos) {
          overdue.add(one.getKey());
        }
      }
      over.forEach(this::drop);
      overdue.forEach(this::drop);
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void drop(C connection) {
    Wait wait = waits.remove(connection);
    if (wait != null && !wait.isInTurn) {
      waiting--;
    }
  }
}
