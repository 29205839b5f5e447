package org.sluiceca.api.issuance.store.commit;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/**
 * One row on its way into a transaction, and the place where its answer is left. One thread at a
 * time waits for the answer, first the one that made it; answered once, by a writer thread.
 */
public abstract sealed class PendingRow<A> permits IntentRow, OutcomeRow {

  private sealed interface Answer<A> {
    record Given<A>(A value) implements Answer<A> {}

    record Refused<A>(String message, @Nullable Throwable cause) implements Answer<A> {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(PendingRow.class);

  private final SerialNumber serialNumber;
  private final Deadline deadline;

  // The thread that waits now; written by that thread before it looks whether this is answered.
  private volatile Thread waiter = Thread.currentThread();

  // Written by the writer thread, read by the waiter.
  private volatile @Nullable Answer<A> answer;

  public PendingRow(SerialNumber serialNumber, Deadline deadline) {
    this.serialNumber = serialNumber;
    this.deadline = deadline;
  }

  public final SerialNumber serialNumber() {
    return serialNumber;
  }

  /** When the row is withdrawn, if no writer took it before. */
  public final Deadline deadline() {
    return deadline;
  }

  public final void give(A value) {
    startNext(value);
    answerWith(new Answer.Given<>(value));
  }

  public final void refuse(String message, @Nullable Throwable cause) {
    answerWith(new Answer.Refused<>(message, cause));
  }

  public final boolean isAnswered() {
    return answer != null;
  }

  /** Returns what was given, or throws LedgerUnavailable if it was refused. */
  public final A result() {
    Answer<A> given = answer;
    return switch (given) {
      case null -> throw new IllegalStateException("not answered");
      case Answer.Given<A>(A value) -> value;
      case Answer.Refused<A>(String message, Throwable cause) ->
          throw cause == null
              ? new LedgerUnavailable(message)
              : new LedgerUnavailable(message, cause);
    };
  }

  /** The calling thread waits for it from now on. */
  final void isAwaitedHere() {
    waiter = Thread.currentThread();
  }

  /** Goes on with what was given; on the writer's thread, and before the thread that waits. */
  void goOn(A given) {}

  /**
   * Whether something else than this row will wake the thread that waits, which then sleeps on for
   * a while.
   */
  boolean isWokenOtherwise() {
    return false;
  }

  /** When the thread that waits looks whether there is an answer. */
  Deadline lookBy() {
    return deadline;
  }

  // The writer's thread has other rows to answer, which are durable: whatever this one's next step
  // does, its own client finds out, and recovery goes on with it.
  @SuppressWarnings("CatchingUnchecked")
  private void startNext(A value) {
    try {
      goOn(value);
    } catch (RuntimeException | Error e) {
      LOG.error("intent {} is recorded, and could not be gone on with", serialNumber, e);
    }
  }

  private void answerWith(Answer<A> given) {
    // In this order: what goes on may end, and wake the thread that waits, at any moment. It has
    // either found the answer by then, or is woken here.
    answer = given;
    if (!isWokenOtherwise()) {
      LockSupport.unpark(waiter);
    }
  }
}
