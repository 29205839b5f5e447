package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.NameConstraintValidation;
import org.sluiceca.core.x509.NameConstraints;

/** Every name lies in the name space of each certificate above. */
final class IssuerNameConstraintsLint extends Lint {

  IssuerNameConstraintsLint() {
    super("issuer_name_constraints", "RFC 5280 4.2.1.10, 6.1.3", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException {
    for (NameConstraints constraints : planned.issuer().constraints().names()) {
      Optional<String> violation =
          NameConstraintValidation.violation(
              constraints,
              planned.tbs().subject(),
              planned.tbs().extension(ExtensionOids.SUBJECT_ALT_NAME));
      if (violation.isPresent()) {
        return violation;
      }
    }
    return Optional.empty();
  }
}
