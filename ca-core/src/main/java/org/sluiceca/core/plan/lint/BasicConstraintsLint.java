package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.x509.Extension;

/** The cA flag and the path length are the profile's, and critical. */
final class BasicConstraintsLint extends Lint {

  BasicConstraintsLint() {
    super("basic_constraints", "RFC 5280 4.2.1.9", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException {
    Optional<Extension> extension = planned.tbs().extension(ExtensionOids.BASIC_CONSTRAINTS);
    if (extension.isEmpty() || !extension.get().isCritical()) {
      return Optional.of("basicConstraints absent or not critical");
    }
    ExtensionPolicy policy = planned.profile().content().extensions();
    boolean isCa = ExtensionReader.isCa(extension.get());
    if (isCa != policy.isCa()) {
      return Optional.of("cA is " + isCa + " against the profile");
    }
    return extension.get().equals(Extensions.basicConstraints(isCa, policy.pathLen()))
        ? Optional.empty()
        : Optional.of("pathLenConstraint against the profile");
  }
}
