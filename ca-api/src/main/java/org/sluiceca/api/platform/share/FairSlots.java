package org.sluiceca.api.platform.share;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Slots at a resource that bears few users at once. Requesters that wait are served in rotation
 * (round robin), each its own requests first come, first served, so the requests of one requester
 * delay another's request by one slot at most. One requester alone may be kept from using all
 * slots. Places to wait are bounded and shared by {@link FairPlaces}. Thread-safe.
 *
 * @param <K> the identity of a requester
 */
public final class FairSlots<K> {

  private final int atOnce;
  private final int atOnceOfOne;
  private final FairPlaces<K> places;
  private final ReentrantLock lock = new ReentrantLock();

  /** Requesters that wait, the next to be served first; none with an empty queue. */
  @GuardedBy("lock")
  private final Map<K, ArrayDeque<Waiter>> waiting = new LinkedHashMap<>();

  /** Slots in use by requester; none with 0. */
  @GuardedBy("lock")
  private final Map<K, Integer> used = new HashMap<>();

  @GuardedBy("lock")
  private int busy;

  /** One request that waits. */
  private static final class Waiter {

    private final Condition served;
    private boolean isServed;

    Waiter(Condition served) {
      this.served = served;
    }
  }

  /**
   * All slots are free.
   *
   * @param atOnce slots at once, at least 1
   * @param places requests that have a slot or wait at once, at least {@code atOnce}
   */
  public FairSlots(int atOnce, int places) {
    this(atOnce, atOnce, places);
  }

  /**
   * All slots are free.
   *
   * @param atOnce slots at once, at least 1
   * @param atOnceOfOne slots of one requester at once, 1 to {@code atOnce}; those beyond stay free
   *     for others, also while it waits
   * @param places requests that have a slot or wait at once, at least {@code atOnce}
   */
  public FairSlots(int atOnce, int atOnceOfOne, int places) {
    if (atOnce < 1 || places < atOnce) {
      throw new IllegalArgumentException(
          atOnce + " turns at once and " + places + " places: at least 1, and as many places");
    }
    if (atOnceOfOne < 1 || atOnceOfOne > atOnce) {
      throw new IllegalArgumentException(
          atOnceOfOne + " turns of one requester: 1 to " + atOnce + ", as many as at once");
    }
    this.atOnce = atOnce;
    this.atOnceOfOne = atOnceOfOne;
    this.places = new FairPlaces<>(places);
  }

  /**
   * Waits for a slot, for {@code wait} at most; a slot that was given ends with {@link #end}.
   *
   * @return false if there was no place to wait for this requester, or no slot in time
   * @throws InterruptedException if interrupted while waiting; no slot was given then
   */
  public boolean begin(K requester, Duration wait) throws InterruptedException {
    if (!places.take(requester)) {
      return false;
    }
    boolean isGiven = false;
    try {
      isGiven = await(requester, wait.toNanos());
      return isGiven;
    } finally {
      if (!isGiven) {
        places.giveBack(requester);
      }
    }
  }

  /** Ends the use of a slot and gives it to the next requester that waits. */
  public void end(K requester) {
    lock.lock();
    try {
      free(requester);
      serveNext();
    } finally {
      lock.unlock();
    }
    places.giveBack(requester);
  }

  /** Returns how many requests wait now. */
  int waiting() {
    lock.lock();
    try {
      return waiting.values().stream().mapToInt(ArrayDeque::size).sum();
    } finally {
      lock.unlock();
    }
  }

  private boolean await(K requester, long waitNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      // While a slot is free, those that wait have all the slots that one may have.
      if (busy < atOnce && mayUse(requester)) {
        use(requester);
        return true;
      }
      Waiter waiter = new Waiter(lock.newCondition());
      waiting.computeIfAbsent(requester, id -> new ArrayDeque<>()).addLast(waiter);
      long left = waitNanos;
      try {
        while (!waiter.isServed && left > 0) {
          left = waiter.served.awaitNanos(left);
        }
      } catch (InterruptedException e) {
        leave(requester, waiter);
        throw e;
      }
      if (!waiter.isServed) {
        leave(requester, waiter);
      }
      return waiter.isServed;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a waiter that gives up out of its queue; a slot that it was given goes to the next. */
  @GuardedBy("lock")
  private void leave(K requester, Waiter waiter) {
    if (waiter.isServed) {
      free(requester);
      serveNext();
      return;
    }
    ArrayDeque<Waiter> own = waiting.get(requester);
    if (own != null && own.remove(waiter) && own.isEmpty()) {
      waiting.remove(requester);
    }
  }

  @GuardedBy("lock")
  private void serveNext() {
    Iterator<Map.Entry<K, ArrayDeque<Waiter>>> rotation = waiting.entrySet().iterator();
    while (busy < atOnce && rotation.hasNext()) {
      Map.Entry<K, ArrayDeque<Waiter>> next = rotation.next();
      K requester = next.getKey();
      if (mayUse(requester)) {
        ArrayDeque<Waiter> own = next.getValue();
        rotation.remove();
        Waiter waiter = own.removeFirst();
        if (!own.isEmpty()) {
          // To the end of the rotation.
          waiting.put(requester, own);
        }
        use(requester);
        waiter.isServed = true;
        waiter.served.signal();
        return;
      }
    }
  }

  @GuardedBy("lock")
  private boolean mayUse(K requester) {
    return used.getOrDefault(requester, 0) < atOnceOfOne;
  }

  @GuardedBy("lock")
  private void use(K requester) {
    busy++;
    int _ = used.merge(requester, 1, Integer::sum);
  }

  @GuardedBy("lock")
  private void free(K requester) {
    busy--;
    used.computeIfPresent(requester, (id, slots) -> slots == 1 ? null : slots - 1);
  }
}
