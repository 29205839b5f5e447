package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;

/** Nothing says at once that revocation can and cannot be learnt. */
final class RevocationLint implements Lint {

  @Override
  public String name() {
    return "revocation";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.2.1.13; RFC 9608 4";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2024, 7, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) {
    boolean never = planned.tbs().extension(ExtensionOids.NO_REVOCATION_AVAILABLE).isPresent();
    boolean crl = planned.tbs().extension(ExtensionOids.CRL_DISTRIBUTION_POINTS).isPresent();
    if (never && crl) {
      return Optional.of("noRevAvail beside a CRL distribution point");
    }
    return switch (planned.profile().content().extensions().revocation()) {
      case NEVER_AVAILABLE ->
          never ? Optional.empty() : Optional.of("noRevAvail of the profile is missing");
      case CRL, UNSTATED ->
          never ? Optional.of("noRevAvail against the profile") : Optional.empty();
    };
  }
}
