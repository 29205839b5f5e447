package org.sluiceca.api.batch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.sluiceca.core.request.RequesterId;

/** How many batches are under way on this node, and whose. Thread-safe; never blocks. */
final class BatchPlaces {

  /** Each may hold 2 MB and a connection's buffers. */
  static final int MAX = 4;

  /** So that one requester leaves places to others. */
  static final int MAX_EACH = 2;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<RequesterId, Integer> taken = new HashMap<>();

  @GuardedBy("lock")
  private int all;

  /** Takes a place; returns whether there was one. */
  boolean take(RequesterId requester) {
    lock.lock();
    try {
      if (all >= MAX || taken.getOrDefault(requester, 0) >= MAX_EACH) {
        return false;
      }
      taken.merge(requester, 1, Integer::sum);
      all++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void giveBack(RequesterId requester) {
    lock.lock();
    try {
      taken.computeIfPresent(requester, (id, count) -> count == 1 ? null : count - 1);
      all--;
    } finally {
      lock.unlock();
    }
  }

  int taken() {
    lock.lock();
    try {
      return all;
    } finally {
      lock.unlock();
    }
  }
}
