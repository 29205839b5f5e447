package org.sluiceca.api.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/**
 * The facts that wait for the thread that writes them, in bounded memory. Thread-safe; {@link
 * #next} and {@link #mayTryAgain} are for that one thread.
 */
final class FactQueue {

  /**
   * Between two batches for which no thread waits: ten commits a second whatever the load, and no
   * more than that is lost in a crash. The certificates among it are durable in the ledger.
   */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** After a failure; the database is away, or away from us. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Between two looks whether a minute's count of denied requests is due. */
  private static final Duration COUNT_CHECK = Duration.ofSeconds(5);

  /** Longer than a statement may take, shorter than an administrator's patience. */
  private static final Duration AWAITED_MAX = Duration.ofSeconds(6);

  /** Between the attempts of a node that ends. */
  private static final Duration LAST_TRIES = Duration.ofMillis(250);

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Signalled when places have become free. */
  private final Condition freed = lock.newCondition();

  // Guarded by lock.
  private final Gathered gathered = new Gathered();

  /**
   * The thread waits for a fact: in a pause each certificate would only wake it for another one.
   */
  private boolean isIdle;

  private boolean closing;
  private boolean ended;
  private long closeByNanos;
  private long lost;

  FactQueue(InstantSource clock) {
    this.clock = clock;
  }

  /** Adds a fact, or counts it if there is no place. Does not wait. */
  void add(Fact fact) {
    Instant now = clock.instant();
    lock.lock();
    try {
      added(!ended && gathered.add(fact, now));
    } finally {
      lock.unlock();
    }
  }

  /** Adds a certificate, or counts it if there is no place. Does not wait. */
  void add(IssuedCertificate certificate) {
    lock.lock();
    try {
      added(!ended && gathered.add(certificate));
    } finally {
      lock.unlock();
    }
  }

  private void added(boolean isKept) {
    if (!isKept) {
      lost++;
    }
    if (isIdle) {
      changed.signal();
    }
  }

  /**
   * Adds a fact when there is a place for it. Blocks for 6 s at most.
   *
   * @return how much of these 6 s is left, more than 0
   * @throws LedgerUnavailable if no place becomes free in that time, or the queue has ended
   */
  Duration addWhenFree(Awaited fact) {
    return whenFree(() -> gathered.add(fact));
  }

  /** Reserves the place of one fact, blocking and failing as {@link #addWhenFree}. */
  void reserve() {
    Duration _ = whenFree(gathered::reserve);
  }

  private Duration whenFree(BooleanSupplier take) {
    long nanos = AWAITED_MAX.toNanos();
    lock.lock();
    try {
      while (!closing && !ended && !take.getAsBoolean()) {
        if (nanos <= 0) {
          throw new LedgerUnavailable(
              String.format(
                  Locale.ROOT,
                  "the audit trail has no place for another fact after %d s; retry later",
                  AWAITED_MAX.toSeconds()));
        }
        nanos = freed.awaitNanos(nanos);
      }
      if (closing || ended) {
        throw new LedgerUnavailable("the audit trail of this node has ended; ask another node");
      }
      changed.signal();
      return Duration.ofNanos(Math.max(1, nanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for a place in the audit trail", e);
    } finally {
      lock.unlock();
    }
  }

  /** Adds a fact in a reserved place, which it takes. Does not wait. */
  void addReserved(Fact fact) {
    lock.lock();
    try {
      gathered.release();
      if (!ended) {
        gathered.addReserved(fact);
      }
      added(!ended);
    } finally {
      lock.unlock();
    }
  }

  /** Gives back a reserved place. */
  void release() {
    lock.lock();
    try {
      gathered.release();
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next batch. Blocks without a limit.
   *
   * @return the batch; null if the queue is closed and empty
   */
  Gathered.@Nullable Batch next() throws InterruptedException {
    lock.lock();
    try {
      long pauseNanos = PAUSE.toNanos();
      while (!closing && !gathered.isAwaited() && pauseNanos > 0) {
        pauseNanos = changed.awaitNanos(pauseNanos);
      }
      while (!closing && gathered.isEmpty(clock.instant(), false)) {
        // Bounded, for a minute's count of denied requests becomes due without a signal.
        isIdle = true;
        boolean _ = changed.await(COUNT_CHECK.toNanos(), TimeUnit.NANOSECONDS);
        isIdle = false;
      }
      Instant now = clock.instant();
      if (gathered.isEmpty(now, closing)) {
        return null;
      }
      freed.signalAll();
      return gathered.take(now, closing);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the pause after a failure; returns false once the time to close is over. */
  boolean mayTryAgain() throws InterruptedException {
    lock.lock();
    try {
      long since = System.nanoTime();
      long left = RETRY.toNanos();
      while (left > 0) {
        long _ = changed.awaitNanos(left);
        left = (closing ? LAST_TRIES : RETRY).toNanos() - (System.nanoTime() - since);
      }
      return !closing || System.nanoTime() - closeByNanos < 0;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more facts; the rest is to be written within this time. Does not wait. */
  void close(Duration longest) {
    lock.lock();
    try {
      closing = true;
      closeByNanos = System.nanoTime() + longest.toNanos();
      changed.signalAll();
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The writer has ended: what waits is lost, and threads that wait for it are refused now. */
  void end() {
    lock.lock();
    try {
      ended = true;
      lost += gathered.size();
      gathered.take(clock.instant(), true).awaited().forEach(Awaited::refused);
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether facts are still taken. */
  boolean isOpen() {
    lock.lock();
    try {
      return !ended;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many facts and certificates were counted instead of kept. */
  long lost() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many denied requests were counted instead of getting a row of their own. */
  long unrecorded(DenialShares.Reason reason) {
    lock.lock();
    try {
      return gathered.unrecorded(reason);
    } finally {
      lock.unlock();
    }
  }
}
