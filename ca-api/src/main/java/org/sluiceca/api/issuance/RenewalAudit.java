package org.sluiceca.api.issuance;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;

/** Records each renewal in the audit trail. Thread-safe. */
public final class RenewalAudit {

  private final AuditTrail trail;

  /** Records in {@code trail}. */
  public RenewalAudit(AuditTrail trail) {
    this.trail = trail;
  }

  /**
   * Runs steps 1 to 5, and for a renewal records what came of them: which certificate takes the
   * place of which, or that the database did not say whether the renewal was recorded. The place of
   * the row is reserved first, for a renewal without its row must not happen. Blocks for some
   * seconds, and for as long as the steps do.
   *
   * @throws LedgerUnavailable if there is no place, and what the steps throw
   */
  public Acceptance recorded(EnrollmentRequest request, Supplier<Acceptance> steps) {
    if (!(request.occasion() instanceof Occasion.Renewal(CertificateDer replaced))) {
      return steps.get();
    }
    try (AuditTrail.Place place = trail.reserve()) {
      Acceptance acceptance;
      try {
        acceptance = steps.get();
      } catch (LedgerUnavailable e) {
        // Otherwise the row never reached the database.
        if (e.isDatabaseFailure()) {
          place.record(fact(request, replaced, "outcome", "unknown"));
        }
        throw e;
      }
      recordedSerial(acceptance)
          .ifPresent(serial -> place.record(fact(request, replaced, "serial", serial.hex())));
      return acceptance;
    }
  }

  private static Optional<SerialNumber> recordedSerial(Acceptance acceptance) {
    return switch (acceptance) {
      case Acceptance.Accepted accepted -> Optional.of(accepted.intent().serialNumber());
      case Acceptance.Ordered(Intent intent) -> Optional.of(intent.serialNumber());
      case Acceptance.Replayed _,
          Acceptance.InProgress _,
          Acceptance.Rejected _,
          Acceptance.Shed _ ->
          Optional.empty();
    };
  }

  private static Fact fact(
      EnrollmentRequest request, CertificateDer replaced, String key, String value) {
    return new Fact(
        AuditKind.CERTIFICATE_RENEWAL,
        request.requester().id().value(),
        Map.of(
            "replaced",
            serialNumberOf(replaced),
            key,
            value,
            "authentication",
            request.requester().authentication().name()));
  }

  private static String serialNumberOf(CertificateDer certificate) {
    try {
      return SerialNumber.of(CertificateReader.read(certificate).fields().serialNumber().octets())
          .hex();
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own certificate does not parse", e);
    }
  }
}
