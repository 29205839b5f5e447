package org.sluiceca.core.enroll;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.PendingSignature;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;

/**
 * Steps 6 to 8 of one intent, as far as they have come: prepared on the thread of its client, begun
 * by the thread that makes the intent durable. Any thread may go on with it by {@link
 * Enrollment#finish}, one at a time.
 */
public final class PendingFinish {

  private final Lane lane;
  private final Deadline answerBy;
  private final PendingSignature signature;
  private @Nullable RecordedIntent intent;
  private @Nullable Pending<Ledger.Decided> recording;

  PendingFinish(Lane lane, Deadline answerBy, IssuerSigner signer) {
    this.lane = lane;
    this.answerBy = answerBy;
    this.signature = signer.prepare();
  }

  /** Step 6 begins: the signer is asked. Neither blocks nor throws what the signer does. */
  void begin(RecordedIntent recorded) {
    Invariant.check(intent == null, "an intent is begun once");
    intent = recorded;
    signature.start(
        recorded,
        new SignSchedule(
            lane, recorded.intent().origin().requester(), answerBy, Enrollment.signBy(recorded)));
  }

  /** What the ledger does with it when the intent is durable. */
  Ledger.Beginning beginning() {
    return new Ledger.Beginning() {
      @Override
      public void begin(RecordedIntent recorded) {
        PendingFinish.this.begin(recorded);
      }

      @Override
      public boolean isUnderWay() {
        return signature.isUnderWay();
      }

      @Override
      public Deadline answerBy() {
        return answerBy;
      }
    };
  }

  /** The intent. */
  public RecordedIntent intent() {
    return Objects.requireNonNull(intent, "not begun");
  }

  /** Whether step 8 has begun: its transaction will end, one way or the other. */
  public boolean isRecording() {
    return recording != null;
  }

  /**
   * For the last thread that had it, when none will go on: gives up the signature that it waited
   * for. The intent is left to recovery.
   */
  public void abandon() {
    if (recording == null) {
      signature.abandon();
    }
  }

  Lane lane() {
    return lane;
  }

  PendingSignature signature() {
    return signature;
  }

  /** Step 8, once it has begun. */
  Optional<Pending<Ledger.Decided>> recording() {
    return Optional.ofNullable(recording);
  }

  Pending<Ledger.Decided> record(Pending<Ledger.Decided> begun) {
    recording = begun;
    return begun;
  }
}
