package org.sluiceca.api.registration;

import java.time.Duration;
import java.util.Optional;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuance.Wait;
import org.sluiceca.api.registration.store.EarlierIntents;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.registration.Issuing;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.SerialNumber;

/** Has requests issued by {@link IssuanceService}. Thread-safe. */
public final class LedgerIssuing implements Issuing {

  /** A signature on an idle node takes less. */
  private static final Duration POLL_AFTER = Duration.ofSeconds(1);

  private final IssuanceService issuance;
  private final IssuanceExecutor executor;
  private final DecidedEntries entries;
  private final EarlierIntents earlier;

  /** Issues through {@code issuance}; the others say what has become of it. */
  public LedgerIssuing(
      IssuanceService issuance, IssuanceExecutor executor, Ledger ledger, EarlierIntents earlier) {
    this.issuance = issuance;
    this.executor = executor;
    this.entries = new DecidedEntries(serialNumber -> read(ledger, serialNumber));
    this.earlier = earlier;
  }

  @Override
  public Answer issue(EnrollmentRequest request, Duration wait) {
    return switch (issuance.issue(request, Wait.ofClient(false, wait))) {
      case IssuanceResult.Issued issued -> new Answer.Recorded(issued.intent().serialNumber());
      case IssuanceResult.Replayed first -> new Answer.Recorded(first.intent().serialNumber());
      case IssuanceResult.Pending pending -> new Answer.Recorded(pending.order());
      case IssuanceResult.InProgress first -> new Answer.Recorded(first.order());
      case IssuanceResult.GivenUp _ ->
          new Answer.Refused(
              new Refusal(Refusal.Kind.GIVEN_UP, "the CA gave this request up: make a new order"));
      case IssuanceResult.Rejected(Rejection rejection) -> new Answer.Refused(refusal(rejection));
      case IssuanceResult.Shed shed -> new Answer.Later(shed.decision().retryAfter());
    };
  }

  private static Refusal refusal(Rejection rejection) {
    Refusal.Kind kind =
        switch (rejection.reason()) {
          case MALFORMED_CSR,
              BAD_PROOF_OF_POSSESSION,
              UNSUPPORTED_ALGORITHM,
              WEAK_KEY,
              COMPROMISED_KEY,
              NAME_NOT_ALLOWED,
              PROFILE_VIOLATION,
              LINT,
              IDEMPOTENCY_KEY_REUSED,
              IDEMPOTENCY_KEY_IN_PROGRESS ->
              Refusal.Kind.BAD_CSR;
          case UNKNOWN_PROFILE, PROFILE_NOT_ALLOWED -> Refusal.Kind.NOT_ALLOWED;
        };
    return new Refusal(kind, rejection.detail());
  }

  @Override
  public Optional<SerialNumber> earlier(RequesterId requester, IdempotencyKey key) {
    return earlier.find(requester, key);
  }

  @Override
  public LedgerEntry entry(SerialNumber serialNumber) {
    return entries.find(serialNumber);
  }

  private static LedgerEntry read(Ledger ledger, SerialNumber serialNumber) {
    return ledger
        .find(serialNumber)
        .orElseThrow(
            () -> new IllegalStateException("a request names an intent that is not there"));
  }

  @Override
  public Duration pollAfter(SerialNumber serialNumber) {
    return executor.position(serialNumber).map(QueuePosition::retryAfter).orElse(POLL_AFTER);
  }
}
