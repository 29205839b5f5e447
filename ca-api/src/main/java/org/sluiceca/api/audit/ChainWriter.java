package org.sluiceca.api.audit;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;

/**
 * Makes the rows of one chain and writes them. The rows of a batch are made once and tried until
 * they are there: after a lost connection it is unknown whether they are, and rows made again would
 * then continue another row. One thread writes; any may read the numbers.
 */
final class ChainWriter {

  /** Whether a batch is tried again. */
  interface Retry {

    /** Returns whether it is, after a pause. */
    boolean mayTryAgain() throws InterruptedException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);

  private final Consumer<List<AuditRow>> store;
  private final InstantSource clock;

  /** The newest row that is durable; written by the thread that writes. */
  private volatile ChainHead head;

  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /**
   * Begins a chain.
   *
   * @param chain a name that no chain had before
   * @param store adds rows durably, all or none; may be given the same rows again
   */
  ChainWriter(String chain, Consumer<List<AuditRow>> store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.head = ChainHead.start(chain);
  }

  /** Returns the newest row that is durable, or the start of the chain. */
  ChainHead head() {
    return head;
  }

  /** Returns how many rows were written. */
  long rows() {
    return rows.get();
  }

  /** Returns how many rows were lost with an error that ended the writing. */
  long lost() {
    return lost.get();
  }

  /** Returns how often a batch could not be written. */
  long failures() {
    return failures.get();
  }

  /**
   * Writes a batch, and wakes the threads that wait for it. Blocks until it is durable or {@code
   * retry} gives up.
   *
   * @throws InterruptedException as {@code retry} does
   */
  void write(Gathered.Batch batch, Retry retry) throws InterruptedException {
    List<AuditRow> made = rowsOf(batch);
    while (true) {
      try {
        store.accept(made);
        head = made.getLast().head();
        rows.addAndGet(made.size());
        batch.awaited().forEach(Awaited::written);
        return;
      } catch (RuntimeException e) {
        failures.incrementAndGet();
        LOG.error("{} rows of the audit trail wait: {}", made.size(), e.getMessage());
        batch.awaited().forEach(awaited -> awaited.failed(e));
      } catch (Error e) {
        lost.addAndGet(made.size());
        batch.awaited().forEach(Awaited::refused);
        throw e;
      }
      if (!retry.mayTryAgain()) {
        LOG.error("{} rows of audit chain {} are lost", made.size(), head.chain());
        return;
      }
    }
  }

  private List<AuditRow> rowsOf(Gathered.Batch batch) {
    Instant now = clock.instant();
    List<AuditRow> made = new ArrayList<>();
    ChainHead last = head;
    List<AuditEvent> events = new ArrayList<>();
    IssuedCertificate.facts(batch.certificates()).forEach(fact -> events.add(fact.event(now)));
    batch.facts().forEach((fact, count) -> events.add(fact.event(now, count)));
    batch.awaited().forEach(awaited -> events.add(awaited.fact().event(now)));
    for (AuditEvent event : events) {
      AuditRow row = last.next(event);
      made.add(row);
      last = row.head();
    }
    return made;
  }
}
