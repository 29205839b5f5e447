package org.sluiceca.api.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;

/**
 * Writes one chain. Thread-safe. Only {@link #recordDurably} and {@link #reserve} wait, for some
 * seconds at most.
 */
public final class AuditTrail implements AutoCloseable {
  /*
   * One platform thread has the writer, and writes what gathered while it wrote the last batch.
   */

  /**
   * Between two batches for which no thread waits: ten commits a second whatever the load, and no
   * more than that is lost in a crash. The certificates among it are durable in the ledger.
   */
  static final Duration PAUSE = Duration.ofMillis(100);

  /** After a failure; the database is away, or away from us. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** Between two looks whether a minute's count of denied requests is due. */
  private static final Duration COUNT_CHECK = Duration.ofSeconds(5);

  /** Longer than a statement may take, shorter than an administrator's patience. */
  static final Duration AWAITED_MAX = Duration.ofSeconds(6);

  /** For the last batch of a node that ends. */
  static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  /** Between the attempts of a node that ends. */
  private static final Duration LAST_TRIES = Duration.ofMillis(250);

  private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);

  private final ChainWriter writer;
  private final InstantSource clock;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Signalled when places have become free. */
  private final Condition freed = lock.newCondition();

  // Guarded by lock.
  private final Gathered gathered = new Gathered();
  private boolean closing;
  private boolean ended;
  private long closeByNanos;

  private final AtomicLong lost = new AtomicLong();

  /**
   * Begins a chain; {@link #start} starts the thread.
   *
   * @param chain a name that no chain had before
   * @param store adds rows durably, all or none; may be given the same rows again
   */
  public AuditTrail(String chain, Consumer<List<AuditRow>> store, InstantSource clock) {
    this.writer = new ChainWriter(chain, store, clock);
    this.clock = clock;
    this.thread = Thread.ofPlatform().name("audit-writer").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /**
   * Records a fact. Does not wait: if too many different ones are waiting, it is counted only, and
   * a denied request beyond its actor's share is, too. What must not be lost comes by {@link
   * #recordDurably} or in a place of {@link #reserve}.
   */
  public void record(Fact fact) {
    Instant now = clock.instant();
    lock.lock();
    try {
      taken(!ended && gathered.add(fact, now));
    } finally {
      lock.unlock();
    }
  }

  /** Records a certificate, as {@link #record}. */
  public void issued(IssuedCertificate certificate) {
    lock.lock();
    try {
      taken(!ended && gathered.add(certificate));
    } finally {
      lock.unlock();
    }
  }

  private void taken(boolean isKept) {
    if (!isKept) {
      lost.incrementAndGet();
    }
    changed.signal();
  }

  /**
   * Records a fact before what it reports is done. Blocks for {@link #AWAITED_MAX} at most, first
   * for a place if the fact's actor, or all of them, have too many facts waiting.
   *
   * @throws LedgerUnavailable if it is not known to be durable: then it must not be done. The row
   *     may come later, for something that was only tried
   */
  public void recordDurably(Fact fact) {
    Awaited awaited = new Awaited(fact);
    Duration left = whenFree(() -> gathered.add(awaited));
    awaited.await(left);
  }

  /**
   * Reserves the place of a fact that is known only after what it reports is done. Blocks for
   * {@link #AWAITED_MAX} at most.
   *
   * @throws LedgerUnavailable if there is no place: then it must not be done
   */
  public Place reserve() {
    Duration _ = whenFree(gathered::reserve);
    return new Place();
  }

  /** A reserved place. For one thread; must be closed, used or not. */
  public final class Place implements AutoCloseable {

    private boolean isFree = true;

    private Place() {}

    /** Records a fact in this place, once. Does not wait, and the fact is not lost. */
    public void record(Fact fact) {
      lock.lock();
      try {
        Invariant.check(isFree, "a reserved place of the audit trail is used once");
        isFree = false;
        gathered.release();
        if (ended) {
          taken(false);
        } else {
          gathered.addReserved(fact);
          changed.signal();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (isFree) {
          isFree = false;
          gathered.release();
          freed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until {@code take} succeeds; returns what is left of the longest wait. */
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

  /** Returns the newest row that is durable; empty before the first. */
  public Optional<ChainHead> head() {
    ChainHead newest = writer.head();
    return newest.sequence() == 0 ? Optional.empty() : Optional.of(newest);
  }

  /** Returns how many rows were written. */
  public long rows() {
    return writer.rows();
  }

  /** Returns how many facts and certificates were counted instead of kept. */
  public long lost() {
    return lost.get() + writer.lost();
  }

  /** Returns how many denied requests were counted instead of getting a row of their own. */
  public long unrecorded(DenialShares.Reason reason) {
    lock.lock();
    try {
      return gathered.unrecorded(reason);
    } finally {
      lock.unlock();
    }
  }

  /** Returns how often a batch could not be written. */
  public long failures() {
    return writer.failures();
  }

  /** Returns whether facts are still written, or will be once the thread is started. */
  public boolean isWriting() {
    lock.lock();
    try {
      return !ended;
    } finally {
      lock.unlock();
    }
  }

  /** The loop of an owned thread: it ends when it is closed and nothing is left. */
  private void run() {
    try {
      while (true) {
        Gathered.Batch batch = next();
        if (batch == null) {
          return;
        }
        writer.write(batch, this::mayTryAgain);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "the audit trail ends: nothing more is recorded in chain {}", writer.head().chain(), e);
    } finally {
      end();
    }
  }

  /** The writer has ended: what is gathered is lost, and threads that wait for it learn so now. */
  private void end() {
    lock.lock();
    try {
      ended = true;
      lost.addAndGet(gathered.size());
      gathered.take(clock.instant(), true).awaited().forEach(Awaited::refused);
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a batch; null when there will be none. */
  private Gathered.@Nullable Batch next() throws InterruptedException {
    lock.lock();
    try {
      long pauseNanos = PAUSE.toNanos();
      while (!closing && !gathered.isAwaited() && pauseNanos > 0) {
        pauseNanos = changed.awaitNanos(pauseNanos);
      }
      while (!closing && gathered.isEmpty(clock.instant(), false)) {
        // Bounded, for a minute's count of denied requests becomes due without a signal.
        boolean _ = changed.await(COUNT_CHECK.toNanos(), TimeUnit.NANOSECONDS);
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

  private boolean mayTryAgain() throws InterruptedException {
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

  /** Writes what is left, for some seconds at most, and ends the thread. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      closeByNanos = System.nanoTime() + CLOSE_MAX.toNanos();
      changed.signalAll();
      freed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      // An attempt under way may take as long again.
      if (thread.isAlive() && !thread.join(CLOSE_MAX.multipliedBy(3))) {
        LOG.warn("the audit trail's writer does not end; it is left behind");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
