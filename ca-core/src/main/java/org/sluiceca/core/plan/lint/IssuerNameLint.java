package org.sluiceca.core.plan.lint;

import java.util.Optional;

/** The issuer field is the issuer's own name, byte for byte. */
final class IssuerNameLint extends Lint {

  IssuerNameLint() {
    super("issuer", "RFC 5280 4.1.2.4", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    return planned.tbs().issuer().equals(planned.issuer().subject())
        ? Optional.empty()
        : Optional.of("issuer is not the subject of the issuing CA");
  }
}
