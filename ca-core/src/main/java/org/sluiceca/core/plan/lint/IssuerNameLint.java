package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;

/** The issuer field is the issuer's own name, byte for byte. */
final class IssuerNameLint implements Lint {

  @Override
  public String name() {
    return "issuer";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.1.2.4";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) {
    return planned.tbs().issuer().equals(planned.issuer().subject())
        ? Optional.empty()
        : Optional.of("issuer is not the subject of the issuing CA");
  }
}
