package org.sluiceca.api.issuance;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.access.QueueWait;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.enroll.PendingFinish;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Finishes accepted intents: on the thread of a client for as long as it waits, then on one of its
 * own. Thread-safe.
 *
 * <p>One virtual thread an intent for which no client waits. Their number is bounded by the places
 * that admission gives and by the batch of the recovery loop, not here.
 */
public final class IssuanceExecutor implements RecoveryPass.Finisher, AutoCloseable {

  /** Longer than a claim lives, after which no thread here can still be signing. */
  private static final Duration CLOSE_WAIT_MAX = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(IssuanceExecutor.class);

  private final IntentFinisher finisher;
  private final Ticker ticker;
  private final ExecutorService threads;

  // One entry a place on the line at most.
  private final ConcurrentMap<SerialNumber, LinePermit> underWay = new ConcurrentHashMap<>();

  /** Finishes by {@code finisher}. */
  public IssuanceExecutor(IntentFinisher finisher, Ticker ticker) {
    this(finisher, ticker, UnaryOperator.identity());
  }

  /**
   * Finishes by {@code finisher}.
   *
   * @param continued gives an executor whose tasks go on in the trace of the thread that submits
   *     them
   */
  public IssuanceExecutor(
      IntentFinisher finisher, Ticker ticker, UnaryOperator<ExecutorService> continued) {
    this.finisher = finisher;
    this.ticker = ticker;
    this.threads =
        continued.apply(
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("finish-", 0).factory()));
  }

  /**
   * Finishes an accepted intent on the calling thread, which is its client's, until {@code
   * answerBy}; then, or when the thread is interrupted, it goes on without it. Its place on the
   * line is given back when it is over. While this node stops, recovery on another one finishes it.
   *
   * @return what it ended with; empty if it has not ended by then, or was left to recovery: the
   *     intent is durable, so no failure here is the client's
   */
  public Optional<Finish> finish(Acceptance.Accepted accepted, Deadline answerBy) {
    PendingFinish pending = accepted.pending();
    LinePermit place = accepted.place();
    Deadline due = finisher.due(pending, answerBy);
    LinePermit _ = underWay.put(pending.intent().serialNumber(), place);
    boolean isOver = false;
    try {
      if (!answerBy.hasPassed(ticker)
          && finisher.finish(pending, answerBy)
              instanceof IntentFinisher.Progress.Over(Optional<Finish> finish)) {
        isOver = true;
        forget(pending.intent());
        finisher.conclude(pending.intent(), place, due, finish);
        return finish;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!isOver) {
        goOn(pending, place, due);
      }
    }
    return Optional.empty();
  }

  private void goOn(PendingFinish pending, LinePermit place, Deadline due) {
    RecordedIntent intent = pending.intent();
    try {
      var _ = submit(intent, () -> finisher.finish(pending, place, due));
    } catch (RejectedExecutionException e) {
      // The node stops. What is being recorded ends soon, and must be heard of.
      if (pending.isRecording()) {
        Optional<Finish> _ = finisher.finish(pending, place, due);
      } else {
        finisher.abandon(pending, "the node stops");
        place.close();
      }
    }
  }

  /**
   * Starts to finish an intent for which no client waits; its place on the line is given back when
   * that is over. While this node stops, its end is empty at once.
   */
  public Future<Optional<Finish>> start(RecordedIntent intent, LinePermit place) {
    LinePermit _ = underWay.put(intent.serialNumber(), place);
    try {
      return submit(intent, () -> finisher.finish(intent, place));
    } catch (RejectedExecutionException e) {
      place.close();
      return CompletableFuture.completedFuture(Optional.empty());
    }
  }

  private Future<Optional<Finish>> submit(RecordedIntent intent, Callable<Optional<Finish>> work) {
    FutureTask<Optional<Finish>> task =
        new FutureTask<>(
            () -> {
              try {
                return work.call();
              } finally {
                forget(intent);
              }
            });
    boolean isTaken = false;
    try {
      threads.execute(QueueWait.carried(task));
      isTaken = true;
      return task;
    } finally {
      if (!isTaken) {
        forget(intent);
      }
    }
  }

  private void forget(RecordedIntent intent) {
    LinePermit _ = underWay.remove(intent.serialNumber());
  }

  /** Returns where an intent is queued that this node accepted and has not finished yet. */
  public Optional<QueuePosition> position(SerialNumber serialNumber) {
    return Optional.ofNullable(underWay.get(serialNumber)).map(LinePermit::position);
  }

  /** What has not ended by the end of its claim goes on, and is not counted. */
  @Override
  public int finishAll(List<RecordedIntent> intents) throws InterruptedException {
    List<Future<Optional<Finish>>> started =
        intents.stream().map(intent -> threads.submit(() -> finisher.finish(intent))).toList();
    int finished = 0;
    for (int i = 0; i < started.size(); i++) {
      if (hasEndedBy(intents.get(i).claim().until(), started.get(i))) {
        finished++;
      }
    }
    return finished;
  }

  private boolean hasEndedBy(Deadline deadline, Future<Optional<Finish>> started)
      throws InterruptedException {
    try {
      return started.get(deadline.remainingNanos(ticker), TimeUnit.NANOSECONDS).isPresent();
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      LOG.error("finishing an intent failed; recovery goes on with it", e.getCause());
      return false;
    }
  }

  /** Takes nothing more and waits, for 20 s at most, for what is being finished. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_WAIT_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("intents are still being finished; their claims run out, another node goes on");
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
