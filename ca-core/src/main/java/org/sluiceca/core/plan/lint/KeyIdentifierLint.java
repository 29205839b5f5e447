package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.x509.Extension;

/** Both key identifiers are there, and the authority's is the issuer's own. */
final class KeyIdentifierLint implements Lint {

  @Override
  public String name() {
    return "key_identifier";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.2.1.1, 4.2.1.2";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  @Override
  public Optional<String> fault(PlannedCertificate planned) {
    Optional<Extension> authority = planned.tbs().extension(ExtensionOids.AUTHORITY_KEY_IDENTIFIER);
    Optional<Extension> subject = planned.tbs().extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER);
    if (authority.isEmpty() || authority.get().isCritical()) {
      return Optional.of("authorityKeyIdentifier absent or critical");
    }
    if (subject.isEmpty() || subject.get().isCritical()) {
      return Optional.of("subjectKeyIdentifier absent or critical");
    }
    return authority
            .get()
            .equals(Extensions.authorityKeyIdentifier(planned.issuer().keyIdentifier().octets()))
        ? Optional.empty()
        : Optional.of("authorityKeyIdentifier is not that of the issuer");
  }
}
