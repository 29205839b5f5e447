package org.sluiceca.api.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.approval.store.StoredApproval;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.time.Ticker;

/**
 * Carries out what was approved on a node that then ended, or lost its database. What cannot be
 * carried out rests for longer each time, so that it keeps no other from its turn, and ends as
 * failed a day after it was approved. Owns one platform thread; every node has one, and acts bear
 * being carried out by two.
 */
public final class ApprovalLoop implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** Longer than the request that approved needs for it. */
  private static final Duration LEFT_OVER_AFTER = Duration.ofSeconds(10);

  /** As long as it could wait for its approval: a later one would surprise. */
  static final Duration GIVEN_UP_AFTER = Approvals.LIFETIME;

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ApprovalLoop.class);

  private final Approvals approvals;
  private final InstantSource clock;
  private final Retries retries;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              ApprovalLoop.class,
              "approvals",
              "approved actions are not looked at",
              PAUSE,
              PAUSE,
              STOP_MAX),
          isStopping -> {
            pass(LEFT_OVER_AFTER);
            return PAUSE;
          });

  // Written by the thread alone.
  private volatile long failures;

  /** Makes the loop; {@link #start} starts it. */
  public ApprovalLoop(Approvals approvals, InstantSource clock, Ticker ticker) {
    this.approvals = approvals;
    this.clock = clock;
    this.retries = new Retries(ticker);
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  /** Returns how often an approved act could not be carried out here. */
  public long failures() {
    return failures;
  }

  /** Carries out what was left for so long; one fault stops no other. */
  void pass(Duration leftOverAfter) {
    for (StoredApproval approval : approvals.leftOver(leftOverAfter, retries.resting())) {
      try {
        approvals.carryOut(approval);
        retries.ended(approval.id());
        LOG.info("carried out the approved action {}", approval.id());
      } catch (CaUnavailable e) {
        LOG.warn("the approved action {} waits: {}", approval.id(), e.getMessage());
        failed(approval, e);
      } catch (RuntimeException | Error e) { // The loop of an owned thread.
        LOG.error("the approved action {} is not carried out", approval.id(), e);
        failed(approval, e);
      }
    }
  }

  // Only the thread writes it.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void failed(StoredApproval approval, Throwable fault) {
    failures++;
    retries.failed(approval.id());
    Instant since = approval.decided().orElseThrow().at();
    if (clock.instant().isBefore(since.plus(GIVEN_UP_AFTER))) {
      return;
    }
    LOG.error("the approved action {} is given up", approval.id());
    try {
      approvals.giveUp(
          approval,
          String.format(
              Locale.ROOT,
              "it could not be carried out for %d hours, see whether some of it was: %s",
              GIVEN_UP_AFTER.toHours(),
              reason(fault)));
      retries.ended(approval.id());
    } catch (CaUnavailable e) {
      LOG.warn("the end of the approved action {} waits: {}", approval.id(), e.getMessage());
    }
  }

  private static String reason(Throwable fault) {
    return Objects.requireNonNullElseGet(
        fault.getMessage(), () -> fault.getClass().getSimpleName());
  }

  /** Ends the thread after its present pass, waiting 5 s at most. */
  @Override
  public void close() {
    task.close();
  }
}
