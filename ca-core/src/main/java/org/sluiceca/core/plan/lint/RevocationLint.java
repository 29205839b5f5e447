package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.profile.ExtensionPolicy.Revocation;

/** Where revocation can be learnt is said exactly as the profile wants it. */
final class RevocationLint extends Lint {

  RevocationLint() {
    super("revocation", "RFC 5280 4.2.1.13; RFC 9608 4", LocalDate.of(2024, 7, 1));
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    boolean never = planned.tbs().extension(ExtensionOids.NO_REVOCATION_AVAILABLE).isPresent();
    boolean crl = planned.tbs().extension(ExtensionOids.CRL_DISTRIBUTION_POINTS).isPresent();
    if (never && crl) {
      return Optional.of("noRevAvail together with a CRL distribution point");
    }
    Revocation wanted = planned.profile().content().extensions().revocation();
    boolean isAsWanted =
        switch (wanted) {
          case NEVER_AVAILABLE -> never;
          case CRL -> crl;
          case UNSTATED -> !never && !crl;
        };
    return isAsWanted
        ? Optional.empty()
        : Optional.of("the profile wants revocation " + wanted + ", the certificate differs");
  }
}
