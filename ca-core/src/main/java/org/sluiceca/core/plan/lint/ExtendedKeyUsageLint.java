package org.sluiceca.core.plan.lint;

import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;

/** The key purposes are exactly the profile's. */
final class ExtendedKeyUsageLint extends Lint {

  ExtendedKeyUsageLint() {
    super("extended_key_usage", "RFC 5280 4.2.1.12", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    Set<ExtendedKeyUsage> purposes = planned.profile().content().extensions().extendedKeyUsage();
    Optional<Extension> wanted =
        purposes.isEmpty() ? Optional.empty() : Optional.of(Extensions.extendedKeyUsage(purposes));
    return planned.tbs().extension(ExtensionOids.EXTENDED_KEY_USAGE).equals(wanted)
        ? Optional.empty()
        : Optional.of("extendedKeyUsage is not the profile's");
  }
}
