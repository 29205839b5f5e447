package org.sluiceca.api.approval;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.ledger.approval.StoredApproval;
import org.sluiceca.core.failure.CaUnavailable;

/**
 * Carries out what was approved on a node that then ended, or lost its database. Owns one platform
 * thread; every node has one, and acts bear being carried out by two.
 */
public final class ApprovalLoop implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** Longer than the request that approved needs for it. */
  private static final Duration LEFT_OVER_AFTER = Duration.ofSeconds(10);

  private static final long STOP_WAIT_MILLIS = 5_000;

  private static final Logger LOG = LoggerFactory.getLogger(ApprovalLoop.class);

  private final Approvals approvals;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  /** Makes the loop; {@link #start} starts it. */
  public ApprovalLoop(Approvals approvals) {
    this.approvals = approvals;
    this.thread = Thread.ofPlatform().name("approvals").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!stopped.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS)) {
        try {
          pass(LEFT_OVER_AFTER);
        } catch (CaUnavailable e) {
          LOG.warn("approved actions wait: {}", e.getMessage());
        } catch (RuntimeException | Error e) { // The loop of an owned thread.
          LOG.error("looking at approved actions failed", e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Carries out what was left for so long; one fault stops no other. */
  void pass(Duration leftOverAfter) {
    for (StoredApproval approval : approvals.leftOver(leftOverAfter)) {
      try {
        approvals.carryOut(approval);
        LOG.info("carried out the approved action {}", approval.id());
      } catch (CaUnavailable e) {
        LOG.warn("the approved action {} waits: {}", approval.id(), e.getMessage());
      } catch (IllegalStateException | IllegalArgumentException e) {
        LOG.error("the approved action {} is not carried out", approval.id(), e);
      }
    }
  }

  /** Ends the thread after its present pass, waiting 5 s at most. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      thread.join(STOP_WAIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
