package org.sluiceca.api.audit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;

/**
 * Writes one chain. One platform thread has the writer, and writes what gathered while it wrote the
 * last batch. Thread-safe. Only {@link #recordDurably}, {@link #reserve} and {@link #close} wait,
 * for some seconds at most.
 */
public final class AuditTrail implements AutoCloseable {

  /** For the last batch of a node that ends. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);

  private final ChainWriter writer;
  private final FactQueue queue;
  private final Thread thread;

  /**
   * Begins a chain; {@link #start} starts the thread.
   *
   * @param chain a name that no chain had before
   * @param store adds rows durably, all or none; may be given the same rows again
   */
  public AuditTrail(String chain, Consumer<List<AuditRow>> store, InstantSource clock) {
    this.writer = new ChainWriter(chain, store, clock);
    this.queue = new FactQueue(clock);
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
    queue.add(fact);
  }

  /** Records a certificate, as {@link #record}. */
  public void issued(IssuedCertificate certificate) {
    queue.add(certificate);
  }

  /**
   * Records a fact before what it reports is done. Blocks for 6 s at most, first for a place if the
   * fact's actor, or all of them, have too many facts waiting.
   *
   * @throws LedgerUnavailable if it is not known to be durable: then it must not be done. The row
   *     may come later, for something that was only tried
   */
  public void recordDurably(Fact fact) {
    Awaited awaited = new Awaited(fact);
    awaited.await(queue.addWhenFree(awaited));
  }

  /**
   * Reserves the place of a fact that is known only after what it reports is done. Blocks for 6 s
   * at most.
   *
   * @throws LedgerUnavailable if there is no place: then it must not be done
   */
  public Place reserve() {
    queue.reserve();
    return new Place(queue);
  }

  /** A reserved place. For one thread; must be closed, used or not. */
  public static final class Place implements AutoCloseable {

    private final FactQueue queue;
    private boolean isFree = true;

    private Place(FactQueue queue) {
      this.queue = queue;
    }

    /** Records a fact in this place, once. Does not wait, and the fact is not lost. */
    public void record(Fact fact) {
      Invariant.check(isFree, "a reserved place of the audit trail is used once");
      isFree = false;
      queue.addReserved(fact);
    }

    @Override
    public void close() {
      if (isFree) {
        isFree = false;
        queue.release();
      }
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
    return queue.lost() + writer.lost();
  }

  /** Returns how many denied requests were counted instead of getting a row of their own. */
  public long unrecorded(DenialShares.Reason reason) {
    return queue.unrecorded(reason);
  }

  /** Returns how often a batch could not be written. */
  public long failures() {
    return writer.failures();
  }

  /** Returns whether facts are still written, or will be once the thread is started. */
  public boolean isWriting() {
    return queue.isOpen();
  }

  /** The loop of an owned thread: it ends when it is closed and nothing is left. */
  private void run() {
    try {
      while (true) {
        Gathered.Batch batch = queue.next();
        if (batch == null) {
          return;
        }
        writer.write(batch, queue::mayTryAgain);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "the audit trail ends: nothing more is recorded in chain {}", writer.head().chain(), e);
    } finally {
      queue.end();
    }
  }

  /** Writes what is left, for some seconds at most, and ends the thread. */
  @Override
  public void close() {
    queue.close(CLOSE_MAX);
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
