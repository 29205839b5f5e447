package org.sluiceca.api.http.access;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.sluiceca.core.time.Ticker;

/** A number of events in each second of the ticker. Thread-safe. */
final class RateAllowance {

  private final int perSecond;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private long second;
  private int taken;

  RateAllowance(int perSecond, Ticker ticker) {
    this.perSecond = perSecond;
    this.ticker = ticker;
  }

  /** Returns false if this second's allowance is used up. */
  boolean take() {
    lock.lock();
    try {
      long now = TimeUnit.NANOSECONDS.toSeconds(ticker.nanoTime());
      if (now != second) {
        second = now;
        taken = 0;
      }
      if (taken >= perSecond) {
        return false;
      }
      taken++;
      return true;
    } finally {
      lock.unlock();
    }
  }
}
