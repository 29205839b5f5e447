package org.sluiceca.api.platform.share;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fixed number of places, of which no requester can take the last: it may hold no more than stay
 * free. One alone gets half of them, rounded up, two a third each, and a newcomer finds a place
 * until as many requesters as places hold one. The rule is the dynamic threshold of Choudhury and
 * Hahne (1998) with α = 1. Thread-safe; never blocks.
 *
 * @param <K> the identity of a requester
 */
public final class FairPlaces<K> {

  private final int max;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<K, Integer> held = new HashMap<>();

  @GuardedBy("lock")
  private int all;

  /**
   * All places are free.
   *
   * @param max at least 1
   */
  public FairPlaces(int max) {
    if (max < 1) {
      throw new IllegalArgumentException(max + " places, not 1 or more");
    }
    this.max = max;
  }

  /** Takes a place, to be given back by {@link #giveBack}; false if there is none for this one. */
  public boolean take(K requester) {
    lock.lock();
    try {
      int own = held.getOrDefault(requester, 0);
      if (own >= max - all) {
        return false;
      }
      held.put(requester, own + 1);
      all++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives back a place that {@link #take} has given. */
  public void giveBack(K requester) {
    lock.lock();
    try {
      Integer own = held.remove(requester);
      if (own == null) {
        throw new IllegalStateException("a place is given back that was not taken");
      }
      if (own > 1) {
        held.put(requester, own - 1);
      }
      all--;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many places are taken. */
  public int taken() {
    lock.lock();
    try {
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many there are in all. */
  public int max() {
    return max;
  }
}
