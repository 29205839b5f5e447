package org.sluiceca.core.intent;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The durable side of the ledger: append-only, and on return from a recording method what it says
 * survives any crash. Every implementation passes {@code LedgerStoreContract}. Thread-safe; every
 * method blocks, at most until its deadline or the store's own limit, and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the store cannot answer.
 */
public interface LedgerStore {

  /**
   * Records an intent, its idempotency key and this owner's claim of epoch 0, in one transaction,
   * unless a revocation has reported the certificate's key as compromised. Of such a revocation and
   * this, one comes first: an intent that is recorded was recorded before.
   *
   * <p>A key of the same requester whose earlier intent was abandoned is free again: it passes to
   * the new intent. On LedgerUnavailable nothing was recorded, or what was recorded is a pending
   * intent that recovery will finish.
   */
  IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline);

  /**
   * The same, and goes on with the intent the moment it is durable, on the thread that made it so.
   */
  default IntentAnswer recordIntent(
      Intent intent, ClaimTerms terms, Deadline deadline, Continuation continuation) {
    IntentAnswer answer = recordIntent(intent, terms, deadline);
    if (answer instanceof IntentAnswer.Recorded) {
      continuation.start();
    }
    return answer;
  }

  /** Records an outcome if the serial number has none and the claim is still the newest. */
  OutcomeAnswer recordOutcome(
      SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline);

  /**
   * The same without waiting: the outcome that is returned is waited for, and the caller may go on
   * with other things until then.
   */
  default Pending<OutcomeAnswer> startOutcome(
      SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
    return until -> Optional.of(recordOutcome(serialNumber, outcome, claim, deadline));
  }

  /** Returns the entry of a serial number, as of the latest commit. */
  Optional<LedgerEntry> find(SerialNumber serialNumber);

  /**
   * Takes over at most {@code max} pending intents whose claims have run out in the database's
   * time, oldest first; of several callers, one gets each.
   */
  List<TakenOver> claimExpired(ClaimTerms terms, int max);

  /**
   * Takes over one intent, also from an owner whose claim lives, which finds out when it records.
   * Empty if there is no such intent, it has an outcome, or another taker was faster.
   */
  Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms);

  /**
   * For whom and how long a claim is granted.
   *
   * @param lifetime counted by the database from its own time
   */
  record ClaimTerms(NodeId owner, Duration lifetime) {}

  /**
   * What goes on with an intent once it is durable. A store need not wake the caller of {@link
   * #recordIntent} for its commit while something else will.
   */
  interface Continuation {

    /** Called at most once, and only for an intent that is durable. Must not block or throw. */
    void start();

    /**
     * Returns whether what was started will unpark the caller of {@link #recordIntent}, which then
     * sleeps on, until {@link #returnBy} at the latest; false once that has passed. Any thread may
     * ask, once it is started.
     */
    boolean isUnderWay();

    /** When the caller returns at the latest, if the intent is durable by then. */
    Deadline returnBy();
  }

  /** The answer to {@link #recordIntent}. */
  sealed interface IntentAnswer {

    /**
     * Nothing was recorded: the certificate's key was reported as compromised, by a revocation that
     * was committed before. An earlier attempt at the same intent may have been recorded; recovery
     * gives it up.
     */
    record KeyCompromised() implements IntentAnswer {}

    /** Durable, and claimed at epoch 0. */
    record Recorded() implements IntentAnswer {}

    /** Nothing was recorded: the requester's key stands for an earlier intent. */
    record KeyInUse(LedgerEntry first) implements IntentAnswer {}
  }

  /** The answer to {@link #recordOutcome}. */
  sealed interface OutcomeAnswer {

    /** This outcome is now the only one. */
    record Recorded() implements OutcomeAnswer {}

    /** Another outcome came first and stands. */
    record AlreadyDecided(Outcome first) implements OutcomeAnswer {}

    /** No outcome yet, and a newer claim exists: another node finishes the intent. */
    record ClaimLost() implements OutcomeAnswer {}
  }

  /**
   * A pending intent that the caller owns from now on.
   *
   * @param takenAt the database's time, like {@code recordedAt}, and never before that
   * @param untouched whether it stood in the backlog and no node owned it before
   */
  record TakenOver(
      Intent intent, Instant recordedAt, Instant takenAt, int epoch, boolean untouched) {

    /** An intent that a node owned before. */
    public TakenOver(Intent intent, Instant recordedAt, Instant takenAt, int epoch) {
      this(intent, recordedAt, takenAt, epoch, false);
    }
  }
}
