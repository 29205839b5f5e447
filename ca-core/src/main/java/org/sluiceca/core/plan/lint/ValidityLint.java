package org.sluiceca.core.plan.lint;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.x509.Validity;

/**
 * The validity holds now, lies within that of the issuer and is no longer than the profile says.
 */
final class ValidityLint extends Lint {

  ValidityLint() {
    super("validity", "RFC 5280 4.1.2.5, 6.1.3", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    Validity validity = planned.tbs().validity();
    Validity issuer = planned.issuer().validity();
    if (!validity.contains(planned.now())) {
      return Optional.of("not valid now: " + validity);
    }
    if (validity.notBefore().isBefore(issuer.notBefore())) {
      return Optional.of("notBefore before that of the issuer");
    }
    if (validity.notAfter().isAfter(issuer.notAfter())) {
      return Optional.of("notAfter after that of the issuer");
    }
    Instant latest = planned.profile().content().validity().notAfterFor(validity.notBefore());
    return validity.notAfter().isAfter(latest)
        ? Optional.of("notAfter " + validity.notAfter() + ", the profile says " + latest)
        : Optional.empty();
  }
}
