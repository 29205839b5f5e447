package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameConstraints;

/** Name constraints are the profile's, and critical. */
final class NameConstraintsLint extends Lint {

  NameConstraintsLint() {
    super("name_constraints", "RFC 5280 4.2.1.10", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    NameConstraints wanted = planned.profile().content().extensions().additions().nameConstraints();
    Optional<Extension> expected =
        wanted.isEmpty() ? Optional.empty() : Optional.of(Extensions.nameConstraints(wanted));
    return planned.tbs().extension(ExtensionOids.NAME_CONSTRAINTS).equals(expected)
        ? Optional.empty()
        : Optional.of("nameConstraints are not the profile's");
  }
}
