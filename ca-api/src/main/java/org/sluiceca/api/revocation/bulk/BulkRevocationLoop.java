package org.sluiceca.api.revocation.bulk;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.revocation.bulk.store.BulkBatches;
import org.sluiceca.api.revocation.bulk.store.BulkBatches.Step;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.revoke.bulk.BulkCounts;
import org.sluiceca.core.revoke.bulk.BulkJob;

/**
 * Carries out the bulk revocations that were started, one batch of each in rotation. Owns one
 * platform thread, because it runs for the life of the node. All that it must remember is in the
 * database.
 */
public final class BulkRevocationLoop implements AutoCloseable {

  /** Longer than a batch may take: a statement that reads, then a transaction of 10 s. */
  public static final Duration LEASE = Duration.ofSeconds(20);

  /** A job whose node is gone waits this much longer than its lease. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The longest rest without a job: the change watch ends it. */
  private static final Duration PAUSE_RESTING = Duration.ofSeconds(30);

  /**
   * Between two batches: enrollments get the database for at least half of the time, and a hundred
   * thousand certificates still take under two minutes.
   */
  private static final Duration PAUSE_BETWEEN = Duration.ofMillis(250);

  /** Longer than a batch usually takes; one that takes longer is rolled back or durable. */
  private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(BulkRevocationLoop.class);

  private final BulkJobStore store;
  private final BulkBatches batches;
  private final AuditTrail trail;
  private final EventSink events;
  private final String node;

  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              BulkRevocationLoop.class,
              "bulk-revocation",
              "bulk revocations wait",
              Duration.ZERO,
              PAUSE,
              STOP_WAIT_MAX),
          isStopping -> step());

  // Set before the thread starts.
  private Rest rest = Rest.never();

  // Owned by the thread.
  private boolean hasJobs;

  /**
   * Makes the loop; {@link #start} starts it.
   *
   * @param events hears of what is revoked, and wakes the CRLs
   * @param node this node's name, by which {@code batches} works
   */
  public BulkRevocationLoop(
      BulkJobStore store, BulkBatches batches, AuditTrail trail, EventSink events, String node) {
    this.store = store;
    this.batches = batches;
    this.trail = trail;
    this.events = events;
    this.node = node;
  }

  /** Rests from now on while there is no job. Before {@link #start}. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.BULK_REVOCATIONS), task::wake);
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  String node() {
    return node;
  }

  /** Has it look for jobs now. Does not wait. */
  void wake() {
    task.wake();
  }

  /** Looks once; returns how long to wait. Of the owned thread, or in its place. */
  Duration step() {
    rest.begin();
    if (pass()) {
      return PAUSE_BETWEEN;
    }
    // One of another node may become this node's when that ends.
    return hasJobs ? PAUSE : rest.pause(PAUSE, PAUSE_RESTING);
  }

  /**
   * Takes every job that is this node's, or no node's, one batch further.
   *
   * @return whether any went on
   */
  boolean pass() {
    boolean isBusy = false;
    List<BulkJob> jobs = store.unfinished();
    hasJobs = !jobs.isEmpty();
    for (BulkJob job : jobs) {
      if (task.isStopping()) {
        return false;
      }
      try {
        isBusy |= isStepped(job);
      } catch (CaUnavailable e) {
        // Perhaps only for this job: its reading may take too long, the next job's may not.
        LOG.warn("bulk revocation {} waits: {}", job.id(), e.getMessage());
      } catch (IllegalStateException | IllegalArgumentException e) {
        // One job must not hold up the others.
        LOG.error("bulk revocation {} does not go on", job.id(), e);
      }
    }
    return isBusy;
  }

  private boolean isStepped(BulkJob job) {
    return switch (batches.step(job)) {
      case Step.Went went -> {
        if (!went.revoked().isEmpty()) {
          events.accept(
              new CaEvent.CertificatesRevoked(
                  job.id(), went.revoked(), job.wish().by(), job.wish().reason()));
        }
        yield true;
      }
      case Step.Elsewhere elsewhere -> false;
      case Step.AllRead allRead -> {
        end(job);
        yield true;
      }
    };
  }

  private void end(BulkJob job) {
    BulkCounts counts = store.find(job.id()).orElseThrow().counts();
    boolean isDone = counts.accountFor(job);
    Fact fact = BulkRevocations.fact(AuditKind.REVOCATION_END, job);
    Map<String, Object> details = new HashMap<>(fact.details());
    details.put("outcome", isDone ? "done" : "failed");
    details.put("revoked", counts.revoked());
    details.put("alreadyRevoked", counts.alreadyRevoked());
    details.put("refused", counts.refused());
    // A node that ends in between leaves the job to another, which records its end again.
    trail.recordDurably(new Fact(fact.kind(), fact.actor(), details));
    store.end(job.id(), isDone);
    if (isDone) {
      LOG.info("bulk revocation {} is done: {}", job.id(), counts);
    } else {
      LOG.error("bulk revocation {} is not what its dry run showed: {}", job, counts);
    }
  }

  /** Ends the thread after its present batch, for which it waits some seconds. */
  @Override
  public void close() {
    task.close();
  }
}
