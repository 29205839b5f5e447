package org.sluiceca.api.revocation.bulk;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.revocation.bulk.store.BulkCount;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore.Shown;
import org.sluiceca.core.revoke.bulk.BulkJob;
import org.sluiceca.core.revoke.bulk.BulkRevocation;
import org.sluiceca.core.revoke.bulk.BulkTally;

/**
 * Shows what a bulk revocation would do, and starts it when what was shown is confirmed. The caller
 * decides which requesters may ask. Thread-safe.
 */
public final class BulkRevocations {

  /** Time to read what was shown and to think; a later confirmation needs another dry run. */
  public static final Duration CONFIRMED_WITHIN = Duration.ofMinutes(15);

  /** Some 30 million certificates, at 18 s a million; the client must wait as long. */
  private static final Duration COUNT_MAX = Duration.ofMinutes(10);

  private final BulkCount count;
  private final BulkJobStore store;
  private final AuditTrail trail;
  private final BulkRevocationLoop loop;

  /** One dry run at a time on a node: it reads the ledger from end to end. */
  private final Semaphore counting = new Semaphore(1);

  /** Works with {@code store}; what is started is handed to {@code loop}. */
  public BulkRevocations(
      BulkCount count, BulkJobStore store, AuditTrail trail, BulkRevocationLoop loop) {
    this.count = count;
    this.store = store;
    this.trail = trail;
    this.loop = loop;
  }

  /** The result of a dry run. */
  public sealed interface DryRun {

    /** Counted and recorded: its confirmation starts it. */
    record Counted(BulkJob job, BulkTally tally) implements DryRun {}

    /** Another dry run is under way on this node. */
    record Busy() implements DryRun {}

    /** The ledger is too large, or its database too slow, to count in time. */
    record TookTooLong(Duration max) implements DryRun {}
  }

  /** The result of a request to start. */
  public sealed interface Start {

    /** It is confirmed, and has not been started. */
    record Ready(BulkJob job) implements Start {}

    /** It runs, or has run: by this call or an earlier one with the same confirmation. */
    record Started(UUID job) implements Start {}

    /** The confirmation does not stand for this wish now. */
    record NotConfirmed(String detail) implements Start {}
  }

  /**
   * Counts what {@code wish} comes to, and changes nothing. Blocks for some ten minutes at most, as
   * long as it takes to read the ledger from end to end.
   *
   * @param extend run some times a second while it counts
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if it cannot be read, or not
   *     recorded in the audit trail
   */
  public DryRun dryRun(BulkRevocation wish, Runnable extend) {
    if (!counting.tryAcquire()) {
      return new DryRun.Busy();
    }
    try {
      Instant asOf = count.moment();
      Optional<BulkTally> tally = count.count(wish.selection(), asOf, COUNT_MAX, extend);
      if (tally.isEmpty()) {
        return new DryRun.TookTooLong(COUNT_MAX);
      }
      BulkJob job = new BulkJob(UUID.randomUUID(), wish, asOf, tally.get().count());
      trail.recordDurably(fact(AuditKind.REVOCATION_DRY_RUN, job));
      store.record(job);
      return new DryRun.Counted(job, tally.get());
    } finally {
      counting.release();
    }
  }

  /**
   * Starts what a dry run showed. When it returns, the start is durable; a node carries it out.
   * Asking again is safe.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if it cannot be recorded, in
   *     the audit trail or as a job: it may have been started
   */
  public Start start(BulkRevocation wish, String confirmation) {
    Start judged = judge(wish, confirmation);
    return judged instanceof Start.Ready(BulkJob job) ? start(job) : judged;
  }

  /** Judges whether a confirmation stands for a wish now, and starts nothing. */
  public Start judge(BulkRevocation wish, String confirmation) {
    Optional<Shown> shown = store.shown(confirmation);
    if (shown.isEmpty() || !shown.get().job().wish().equals(wish)) {
      return new Start.NotConfirmed(
          "no dry run of this selection, reason and invalidityDate by this requester has this"
              + " confirmation");
    }
    BulkJob job = shown.get().job();
    if (shown.get().isStarted()) {
      return new Start.Started(job.id());
    }
    if (shown.get().age().compareTo(CONFIRMED_WITHIN) > 0) {
      return new Start.NotConfirmed(
          "the dry run is older than " + CONFIRMED_WITHIN.toMinutes() + " minutes; repeat it");
    }
    return new Start.Ready(job);
  }

  /** Starts what was confirmed in time, once. */
  public Start.Started start(BulkJob job) {
    trail.recordDurably(fact(AuditKind.REVOCATION_START, job));
    store.start(job.id(), loop.node());
    loop.wake();
    return new Start.Started(job.id());
  }

  /** Returns what a confirmation stands for, however old. */
  public Optional<BulkJob> shown(String confirmation) {
    return store.shown(confirmation).map(Shown::job);
  }

  /** Returns how a job that was started stands. */
  public Optional<BulkJobStore.State> find(UUID job) {
    return store.find(job);
  }

  /** An act that is not in the audit trail is not done. */
  static Fact fact(AuditKind kind, BulkJob job) {
    Map<String, Object> details = new TreeMap<>();
    details.put("job", job.id().toString());
    details.put("selection", job.wish().selection().toString());
    details.put("reason", job.wish().reason().label());
    job.wish().invalidityDate().ifPresent(d -> details.put("invalidityDate", d.toString()));
    details.put("asOf", job.asOf().toString());
    details.put("selected", job.selected());
    return new Fact(kind, job.wish().by().value(), details);
  }
}
