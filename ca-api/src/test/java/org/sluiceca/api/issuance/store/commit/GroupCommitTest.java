package org.sluiceca.api.issuance.store.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.Continuation;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;
import org.sluiceca.core.time.Ticker;

/** The shell: threads, waiting, withdrawal, shutdown; the database is a gate that a test opens. */
class GroupCommitTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ClaimTerms TERMS = new ClaimTerms(new NodeId("node"), PATIENCE);

  private final Intents intents = new Intents(5_000_003);
  private final List<Integer> batches = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final GroupCommit commit =
      GroupCommit.start(new GroupCommit.Sizes(3, 2, 1), this::write, System::nanoTime);
  private final List<Future<Optional<OutcomeAnswer>>> ignored = new ArrayList<>();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void end() {
    gate.countDown();
    commit.close();
    callers.close();
    assertThat(ignored).allMatch(Future::isDone);
  }

  @Test
  void submit_whileACommitRuns_gatheredForTheNext() throws Exception {
    List<Future<Optional<OutcomeAnswer>>> answers = new ArrayList<>();
    answers.add(submitted(PATIENCE));
    writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    for (int i = 0; i < 3; i++) {
      answers.add(submitted(PATIENCE));
    }
    awaitWaiting(3);
    gate.countDown();

    for (Future<Optional<OutcomeAnswer>> answer : answers) {
      assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .contains(new OutcomeAnswer.Recorded());
    }
    assertThat(batches).containsExactly(1, 2, 1);
  }

  @Test
  void submit_queueFull_refusedAtOnce() throws Exception {
    occupied();
    writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    for (int i = 0; i < 3; i++) {
      occupied();
    }
    awaitWaiting(3);

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> commit.submit(row(PATIENCE)))
        .withMessageContaining("too many");
  }

  @Test
  void submit_deadlinePassesWhileWaiting_withdrawnAndNeverWritten() throws Exception {
    occupied();
    writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> commit.submit(row(Duration.ofMillis(20))))
        .withMessageContaining("deadline");

    gate.countDown();
    commit.close();
    assertThat(batches).containsExactly(1);
  }

  @Test
  void submit_deadlinePassesWhileWritten_waitsForTheDefiniteEnd() throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicInteger looks = new AtomicInteger();
    Ticker ticker =
        () -> {
          looks.incrementAndGet();
          return now.get();
        };
    try (GroupCommit late =
        GroupCommit.start(new GroupCommit.Sizes(3, 2, 1), this::write, ticker)) {
      Deadline deadline = Deadline.after(Duration.ofMillis(20), now::get);
      Future<Optional<OutcomeAnswer>> answer = callers.submit(() -> late.submit(row(deadline)));
      assertThat(writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

      now.addAndGet(PATIENCE.toNanos());
      int before = looks.get();
      Await.until("the caller looks at the time", () -> looks.get() > before);
      assertThat(answer.isDone()).isFalse();
      gate.countDown();

      assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .contains(new OutcomeAnswer.Recorded());
    }
  }

  @Test
  void submit_interruptedWhileWaiting_withdrawnAndStillInterrupted() throws Exception {
    occupied();
    writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  try {
                    commit.submit(row(PATIENCE));
                  } catch (LedgerUnavailable e) {
                    interrupted.set(Thread.currentThread().isInterrupted());
                  }
                });

    caller.join(PATIENCE);

    assertThat(interrupted).isTrue();
  }

  @Test
  void submit_writerFails_batchRefusedAndNextWritten() throws Exception {
    gate.countDown();
    AtomicBoolean fail = new AtomicBoolean(true);
    try (GroupCommit failing =
        GroupCommit.start(
            new GroupCommit.Sizes(3, 2, 1),
            rows -> {
              if (fail.getAndSet(false)) {
                throw new IllegalStateException("planted");
              }
              write(rows);
            },
            System::nanoTime)) {

      assertThatExceptionOfType(LedgerUnavailable.class)
          .isThrownBy(() -> failing.submit(row(PATIENCE)))
          .havingCause()
          .withMessage("planted");

      assertThat(failing.submit(row(PATIENCE))).contains(new OutcomeAnswer.Recorded());
    }
  }

  @Test
  void close_rowsWaiting_writtenBeforeTheEnd() throws Exception {
    Future<Optional<OutcomeAnswer>> first = submitted(PATIENCE);
    writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Future<Optional<OutcomeAnswer>> second = submitted(PATIENCE);
    for (int i = 0; i < 2; i++) {
      occupied();
    }
    awaitWaiting(3);
    gate.countDown();

    commit.close();

    assertThat(first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .contains(new OutcomeAnswer.Recorded());
    assertThat(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .contains(new OutcomeAnswer.Recorded());
  }

  @Test
  void submit_closed_refusedAtOnce() {
    gate.countDown();
    commit.close();

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> commit.submit(row(PATIENCE)))
        .withMessageContaining("closed");
  }

  @Test
  void start_callersTimeIsOver_anotherThreadTakesTheAnswer() throws Exception {
    Pending<Optional<OutcomeAnswer>> pending = commit.start(row(PATIENCE));
    assertThat(writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(pending.await(after(Duration.ofMillis(1)))).isEmpty();

    Future<Optional<Optional<OutcomeAnswer>>> other =
        callers.submit(() -> pending.await(after(PATIENCE)));
    gate.countDown();
    assertThat(other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .contains(Optional.of(new OutcomeAnswer.Recorded()));
  }

  @Test
  void start_interrupted_rowIsLeftAsItIs() throws Exception {
    occupied();
    assertThat(writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Pending<Optional<OutcomeAnswer>> pending = commit.start(row(PATIENCE));

    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> pending.await(after(PATIENCE)));

    assertThat(commit.waiting()).isEqualTo(1);
    gate.countDown();
    assertThat(pending.await(after(PATIENCE))).contains(Optional.of(new OutcomeAnswer.Recorded()));
  }

  @Test
  void start_deadlinePassesWhileWaiting_withdrawnAndNeverWritten() throws Exception {
    occupied();
    assertThat(writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Pending<Optional<OutcomeAnswer>> pending = commit.start(row(Duration.ofMillis(20)));

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> pending.await(after(PATIENCE)))
        .withMessageContaining("deadline");

    gate.countDown();
    commit.close();
    assertThat(batches).containsExactly(1);
  }

  /** The writer starts what comes next, and leaves the caller asleep while that is under way. */
  @Test
  void submit_goesOn_callerSleepsUntilThatWakesIt() throws Exception {
    Next next = new Next(true, after(PATIENCE));
    Future<Optional<IntentAnswer>> answer = callers.submit(() -> commit.submit(intent(next)));
    gate.countDown();
    assertThat(next.isStarted.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(commit.submit(row(PATIENCE))).contains(new OutcomeAnswer.Recorded());
    // The writer has answered both by now.
    Await.until("the caller sleeps", () -> next.caller.getState() == Thread.State.WAITING);
    assertThat(answer.isDone()).isFalse();

    next.isUnderWay = false;
    LockSupport.unpark(next.caller);

    assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .contains(new IntentAnswer.Recorded());
  }

  @Test
  void submit_whatGoesOnThrows_answeredAllTheSameAndTheWriterLives() throws Exception {
    gate.countDown();
    Continuation broken =
        new Continuation() {
          @Override
          public void start() {
            throw new StackOverflowError("planted");
          }

          @Override
          public boolean isUnderWay() {
            return true;
          }

          @Override
          public Deadline returnBy() {
            return after(PATIENCE);
          }
        };

    assertThat(
            callers
                .submit(
                    () ->
                        commit.submit(
                            new IntentRow(intents.next(), TERMS, after(PATIENCE), broken)))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .contains(new IntentAnswer.Recorded());
    assertThat(commit.submit(row(PATIENCE))).contains(new OutcomeAnswer.Recorded());
  }

  @Test
  void submit_whatGoesOnHasEndedAtOnce_callerIsWoken() throws Exception {
    Next next = new Next(false, after(PATIENCE));
    Future<Optional<IntentAnswer>> answer = callers.submit(() -> commit.submit(intent(next)));
    gate.countDown();

    assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .contains(new IntentAnswer.Recorded());
    assertThat(next.isStarted.getCount()).isZero();
  }

  @Test
  void submit_whatGoesOnTakesLong_callerReturnsWhenItMust() throws Exception {
    gate.countDown();
    Next next = new Next(true, after(Duration.ofMillis(50)));

    assertThat(
            callers
                .submit(() -> commit.submit(intent(next)))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .contains(new IntentAnswer.Recorded());
    assertThat(next.isUnderWay).isTrue();
  }

  @Test
  void submit_withdrawn_doesNotGoOn() throws Exception {
    occupied();
    assertThat(writing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Next next = new Next(true, after(PATIENCE));

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(
            () ->
                commit.submit(
                    new IntentRow(intents.next(), TERMS, after(Duration.ofMillis(20)), next)));

    gate.countDown();
    commit.close();
    assertThat(next.isStarted.getCount()).isEqualTo(1);
  }

  /** What goes on with an intent, and its caller. */
  private static final class Next implements Continuation {
    private final CountDownLatch isStarted = new CountDownLatch(1);
    private final Deadline returnBy;
    private volatile Thread caller = Thread.currentThread();
    private volatile boolean isUnderWay;

    Next(boolean isUnderWay, Deadline returnBy) {
      this.isUnderWay = isUnderWay;
      this.returnBy = returnBy;
    }

    @Override
    public void start() {
      isStarted.countDown();
    }

    @Override
    public boolean isUnderWay() {
      return isUnderWay && !returnBy.hasPassed(System::nanoTime);
    }

    @Override
    public Deadline returnBy() {
      return returnBy;
    }
  }

  private IntentRow intent(Next next) {
    next.caller = Thread.currentThread();
    return new IntentRow(intents.next(), TERMS, after(PATIENCE), next);
  }

  private static Deadline after(Duration time) {
    return Deadline.after(time, System::nanoTime);
  }

  /** Lets a caller submit whose answer only {@link #end} looks at. */
  private void occupied() {
    ignored.add(submitted(PATIENCE));
  }

  private void awaitWaiting(int rows) {
    Await.until(rows + " rows wait", () -> commit.waiting() == rows);
  }

  private Future<Optional<OutcomeAnswer>> submitted(Duration patience) {
    return callers.submit(() -> commit.submit(row(patience)));
  }

  private OutcomeRow row(Duration patience) {
    return row(Deadline.after(patience, System::nanoTime));
  }

  private OutcomeRow row(Deadline deadline) {
    return new OutcomeRow(
        intents.next().serialNumber(),
        new Outcome.Issued(Intents.signature(1)),
        new Claim(new NodeId("node"), 0, deadline),
        deadline);
  }

  private void write(List<PendingRow<?>> rows) {
    writing.countDown();
    try {
      if (!gate.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test never opened the gate");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    batches.add(rows.size());
    for (PendingRow<?> row : rows) {
      if (row instanceof OutcomeRow outcome) {
        outcome.give(Optional.of(new OutcomeAnswer.Recorded()));
      } else if (row instanceof IntentRow intent) {
        intent.give(Optional.of(new IntentAnswer.Recorded()));
      }
    }
  }
}
