package org.sluiceca.api.certificate.index;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.certificate.index.store.CertificateIndex;
import org.sluiceca.api.certificate.index.store.CertificateIndex.Indexed;
import org.sluiceca.api.certificate.index.store.CertificateIndex.Standing;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;

/**
 * Brings what any node issued into the index, and drops what expired long ago. Owns one platform
 * thread. Every node has one; the database lets one of them work at a time, and looking costs the
 * others one short query.
 */
public final class IndexLoop implements AutoCloseable {

  /**
   * A quarter of the lag that is allowed, when all was done. A node that issues writes a row of the
   * feed with each group commit: one transaction for what comes in this time costs the database far
   * less than one for each. A pass makes eight round trips to the database, however little waits.
   */
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** The longest rest while all was done: the change watch ends it. */
  private static final Duration PAUSE_RESTING = Duration.ofSeconds(30);

  /** Between steps over the ledger of before, which need not take the database for themselves. */
  private static final Duration PAUSE_WALKING = Duration.ofMillis(20);

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  /** A transaction's limit is 10 s; what it had not committed the next node does. */
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final CertificateIndex index;
  private final Retention retention;
  private final IndexMetrics metrics;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              IndexLoop.class,
              "find-index",
              "the index of certificates waits",
              Duration.ZERO,
              PAUSE_AFTER_FAILURE,
              STOP_MAX),
          isStopping -> counted());

  // Set before the thread starts.
  private Rest rest = Rest.never();

  /** Makes the loop; {@link #start} starts it. */
  public IndexLoop(CertificateIndex index, Retention retention, IndexMetrics metrics) {
    this.index = index;
    this.retention = retention;
    this.metrics = metrics;
  }

  /** Rests from now on while nothing waits. Before {@link #start}. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.UNINDEXED), task::wake);
    changes.whileZero(Topic.UNINDEXED, metrics::nothingWaits);
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  private Duration counted() {
    boolean isDone = false;
    try {
      Duration pause = pass();
      isDone = true;
      return pause;
    } finally {
      if (!isDone) {
        metrics.failed();
      }
    }
  }

  /** Does the next step, and returns how long the one after it can wait. */
  Duration pass() {
    rest.begin();
    long lookedAt = System.nanoTime();
    Standing standing = index.look();
    metrics.seen(standing, lookedAt);
    Duration pause = PAUSE;
    if (standing.isFed() && wasFull(index.take())) {
      pause = Duration.ZERO;
    }
    if (!standing.isFilled() && wasFull(index.walk()) && !pause.isZero()) {
      pause = PAUSE_WALKING;
    }
    retention.retain();
    return standing.isFed() || !standing.isFilled() ? pause : rest.pause(pause, PAUSE_RESTING);
  }

  private boolean wasFull(Optional<Indexed> step) {
    step.ifPresent(metrics::indexed);
    return step.isPresent() && step.get().isFull();
  }

  /** Ends the thread after its present step, waiting 5 s at most. */
  @Override
  public void close() {
    task.close();
  }
}
