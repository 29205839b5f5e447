package org.sluiceca.api.ocsp;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * How many OCSP responses of each kind are signed at once. Each kind has places of its own, so that
 * a storm of one kind never takes those of another: half of all for responses that are kept and
 * serve many, a quarter for responses that serve one request, a quarter for serial numbers under
 * which nothing was issued. Thread-safe.
 */
public final class SignatureShares {

  private static final int HALF = 2;
  private static final int QUARTER = 4;

  /** The value of a response to other requests. */
  enum Share {
    /** About one certificate of this CA: kept, and given to each client that asks. */
    KEPT,
    /** With a nonce, or about several certificates: of use to one request. */
    ALONE,
    /** About a serial number under which nothing was issued, of which anyone can make up any. */
    NEVER_ISSUED
  }

  private final Semaphore kept;
  private final Semaphore alone;
  private final Semaphore neverIssued;
  private final AtomicInteger waiting = new AtomicInteger();
  private final int waitingMax;
  private final Ticker ticker;

  /**
   * Divides {@code signing} places; each kind has one at least.
   *
   * @param waitingMax how many requests may wait for a place of {@link Share#KEPT}
   */
  public SignatureShares(int signing, int waitingMax, Ticker ticker) {
    int quarter = Math.max(1, signing / QUARTER);
    this.kept = new Semaphore(Math.max(1, signing - HALF * quarter), true);
    this.alone = new Semaphore(quarter, true);
    this.neverIssued = new Semaphore(quarter, true);
    this.waitingMax = waitingMax;
    this.ticker = ticker;
  }

  /**
   * Takes a place; if it returns true, {@link #leave} must follow. Only for {@link Share#KEPT} it
   * waits, at most until {@code deadline}: a client that floods the other kinds must not hold
   * request slots.
   */
  boolean enter(Share share, Deadline deadline) throws InterruptedException {
    Semaphore places = places(share);
    if (places.tryAcquire()) {
      return true;
    }
    if (share != Share.KEPT) {
      return false;
    }
    try {
      return waiting.incrementAndGet() <= waitingMax
          && places.tryAcquire(deadline.remainingNanos(ticker), TimeUnit.NANOSECONDS);
    } finally {
      waiting.decrementAndGet();
    }
  }

  /** Returns how many requests wait for a place. */
  int waiting() {
    return waiting.get();
  }

  /** Gives the place back. */
  void leave(Share share) {
    places(share).release();
  }

  private Semaphore places(Share share) {
    return switch (share) {
      case KEPT -> kept;
      case ALONE -> alone;
      case NEVER_ISSUED -> neverIssued;
    };
  }
}
