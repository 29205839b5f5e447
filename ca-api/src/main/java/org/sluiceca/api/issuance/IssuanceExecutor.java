package org.sluiceca.api.issuance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.access.QueueWait;
import org.sluiceca.api.wait.CoarseTimer;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Finishes promised intents, whether somebody waits for them or not. Thread-safe.
 *
 * <p>One virtual thread an intent. Their number is bounded by the places that admission gives and
 * by the batch of the recovery loop, not here.
 */
public final class IssuanceExecutor implements RecoveryPass.Finisher, AutoCloseable {

  /** Longer than a claim lives, after which no thread here can still be signing. */
  private static final Duration CLOSE_WAIT_MAX = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(IssuanceExecutor.class);

  private final IntentFinisher finisher;
  private final Ticker ticker;
  private final ExecutorService threads;
  private final CoarseTimer clock = new CoarseTimer("finish-clock");

  // One entry a place on the line at most.
  private final ConcurrentMap<SerialNumber, LinePermit> underWay = new ConcurrentHashMap<>();

  /** Finishes by {@code finisher}. */
  public IssuanceExecutor(IntentFinisher finisher, Ticker ticker) {
    this(finisher, ticker, UnaryOperator.identity());
  }

  /**
   * Finishes by {@code finisher}.
   *
   * @param continued gives an executor whose tasks go on in the trace of who submits them
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
   * Starts to keep a promise; its place on the line is given back when that is over. While this
   * node stops, recovery on another one keeps it.
   *
   * @param answerBy until when somebody will wait for it
   */
  public PendingIssuance start(Acceptance.Accepted accepted, Deadline answerBy) {
    SerialNumber serialNumber = accepted.intent().serialNumber();
    LinePermit ignored = underWay.put(serialNumber, accepted.place());
    try {
      return started(
          () -> {
            try {
              return finisher.keep(accepted, answerBy);
            } finally {
              forget(serialNumber);
            }
          });
    } catch (RejectedExecutionException e) {
      forget(serialNumber);
      accepted.place().close();
      return PendingIssuance.givenUp();
    }
  }

  private PendingIssuance started(Callable<Optional<Finish>> work) {
    PendingIssuance pending = new PendingIssuance(work);
    threads.execute(QueueWait.carried(pending));
    return pending;
  }

  private void forget(SerialNumber serialNumber) {
    LinePermit ignored = underWay.remove(serialNumber);
  }

  /** Returns where a promise stands, if this node has just made it and is keeping it. */
  public Optional<QueuePosition> position(SerialNumber serialNumber) {
    return Optional.ofNullable(underWay.get(serialNumber)).map(LinePermit::position);
  }

  @Override
  public int finishAll(List<RecordedIntent> intents) throws InterruptedException {
    List<PendingIssuance> started = new ArrayList<>();
    for (RecordedIntent intent : intents) {
      started.add(started(() -> finisher.keep(intent)));
    }
    int finished = 0;
    for (int i = 0; i < started.size(); i++) {
      if (await(started.get(i), intents.get(i).claim().until()).isPresent()) {
        finished++;
      }
    }
    return finished;
  }

  /**
   * Waits for a finish until {@code deadline}; empty if there is none by then, or none at all: the
   * promise is durable, so no failure here is the client's.
   */
  public Optional<Finish> await(PendingIssuance started, Deadline deadline)
      throws InterruptedException {
    try {
      return started.isDoneBy(deadline, ticker, clock) ? started.get() : Optional.empty();
    } catch (ExecutionException e) {
      LOG.error("finishing an intent failed; recovery goes on with it", e.getCause());
      return Optional.empty();
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
    } finally {
      clock.close();
    }
  }
}
