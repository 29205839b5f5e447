package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/** The key usage is the profile's, critical, and possible for the key's algorithm. */
final class KeyUsageLint extends Lint {

  KeyUsageLint() {
    super("key_usage", "RFC 5280 4.2.1.3; RFC 8813 3; RFC 9295 3", LocalDate.of(2022, 9, 1));
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException {
    Optional<Extension> extension = planned.tbs().extension(ExtensionOids.KEY_USAGE);
    if (extension.isEmpty() || !extension.get().isCritical()) {
      return Optional.of("keyUsage absent or not critical");
    }
    Set<KeyUsage> usages = ExtensionReader.keyUsage(extension.get());
    if (!usages.equals(planned.profile().content().extensions().keyUsage())) {
      return Optional.of("keyUsage " + usages + " is not the profile's");
    }
    PublicKeyAlgorithm key = planned.tbs().subjectPublicKeyInfo().key().algorithm();
    for (KeyUsage usage : usages) {
      if (!usage.fits(key)) {
        return Optional.of(
            String.format(Locale.ROOT, "a key of %s cannot have keyUsage %s", key, usage));
      }
    }
    return Optional.empty();
  }
}
