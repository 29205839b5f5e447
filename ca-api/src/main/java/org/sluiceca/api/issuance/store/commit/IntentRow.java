package org.sluiceca.api.issuance.store.commit;

import java.time.Duration;
import java.util.Optional;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.Continuation;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.time.Deadline;

/** An intent to record. The answer is empty if its serial number stands for another intent. */
public final class IntentRow extends PendingRow<Optional<IntentAnswer>> {

  private final Intent intent;
  private final ClaimTerms terms;
  private final boolean isOrder;
  private final Optional<KeyFingerprint> publicKey;
  private final Optional<Continuation> continuation;

  // Written by the writer before it answers.
  private boolean hasGoneOn;

  private IntentRow(
      Intent intent,
      ClaimTerms terms,
      boolean isOrder,
      Deadline deadline,
      Optional<Continuation> continuation) {
    super(intent.serialNumber(), deadline);
    this.continuation = continuation;
    this.intent = intent;
    this.terms = terms;
    this.isOrder = isOrder;
    this.publicKey = publicKey(intent);
  }

  /** Octets that are no certificate have no key, and are not signed: see {@code plan.Recheck}. */
  private static Optional<KeyFingerprint> publicKey(Intent intent) {
    try {
      return Optional.of(KeyFingerprint.of(intent.tbsCertificate()));
    } catch (DerException e) {
      return Optional.empty();
    }
  }

  /** An intent that is claimed as it is recorded. */
  public IntentRow(Intent intent, ClaimTerms terms, Deadline deadline) {
    this(intent, terms, false, deadline, Optional.empty());
  }

  /** The same, which goes on by itself once it is durable. */
  public IntentRow(Intent intent, ClaimTerms terms, Deadline deadline, Continuation continuation) {
    this(intent, terms, false, deadline, Optional.of(continuation));
  }

  /** An intent for the backlog: the claim of its row is over as it begins. */
  public static IntentRow order(Intent intent, NodeId recorder, Deadline deadline) {
    return new IntentRow(
        intent, new ClaimTerms(recorder, Duration.ZERO), true, deadline, Optional.empty());
  }

  @Override
  void goOn(Optional<IntentAnswer> given) {
    if (continuation.isPresent() && given.orElse(null) instanceof IntentAnswer.Recorded) {
      continuation.get().start();
      hasGoneOn = true;
    }
  }

  @Override
  boolean isWokenOtherwise() {
    return hasGoneOn && continuation.orElseThrow().isUnderWay();
  }

  @Override
  Deadline lookBy() {
    return continuation.map(c -> c.returnBy().min(deadline())).orElse(deadline());
  }

  public Intent intent() {
    return intent;
  }

  public ClaimTerms terms() {
    return terms;
  }

  /** The fingerprint by which the certificate's public key is recognized. */
  public Optional<KeyFingerprint> publicKey() {
    return publicKey;
  }

  /** Whether it goes into the backlog. */
  public boolean isOrder() {
    return isOrder;
  }
}
