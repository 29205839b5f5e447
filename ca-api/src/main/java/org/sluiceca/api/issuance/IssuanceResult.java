package org.sluiceca.api.issuance;

import java.util.Optional;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;

/** What came of a request for a certificate, by the end of its client's wait. */
public sealed interface IssuanceResult {

  /**
   * The certificate is durable.
   *
   * @param waited whether the client's wait counted: it does not in the bulk lane
   */
  record Issued(Intent intent, CertificateDer certificate, boolean waited)
      implements IssuanceResult {}

  /**
   * The intent is durable and has no outcome yet: it is an order now, under its serial number.
   *
   * @param position empty while it is not known
   * @param waited as in {@link Issued}
   */
  record Pending(SerialNumber order, Optional<QueuePosition> position, boolean waited)
      implements IssuanceResult {}

  /** The same request came before, and this is its certificate. */
  record Replayed(Intent intent, CertificateDer certificate) implements IssuanceResult {}

  /** The same request came before and has no outcome yet. */
  record InProgress(SerialNumber order) implements IssuanceResult {}

  /**
   * The intent was given up, durably: no certificate will be issued for it.
   *
   * @param wasEarlier whether that was an earlier request with the same Idempotency-Key
   */
  record GivenUp(Outcome.Abandoned outcome, boolean wasEarlier) implements IssuanceResult {}

  /** Refused for cause; nothing was recorded. */
  record Rejected(Rejection rejection) implements IssuanceResult {}

  /** Refused for load; nothing was parsed or recorded. */
  record Shed(AdmissionDecision.Shed decision) implements IssuanceResult {}
}
