package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.x509.Extension;

/** No extension stands there that this CA does not write. */
final class ExtensionsLint implements Lint {

  @Override
  public String name() {
    return "extensions";
  }

  @Override
  public String citation() {
    return "RFC 5280 4.2";
  }

  @Override
  public LocalDate effective() {
    return LocalDate.of(2008, 5, 1);
  }

  /** A new kind of extension needs its own lint before it may stand here. */
  private static final Set<String> KNOWN =
      Set.of(
          ExtensionOids.BASIC_CONSTRAINTS,
          ExtensionOids.KEY_USAGE,
          ExtensionOids.EXTENDED_KEY_USAGE,
          ExtensionOids.SUBJECT_KEY_IDENTIFIER,
          ExtensionOids.AUTHORITY_KEY_IDENTIFIER,
          ExtensionOids.SUBJECT_ALT_NAME,
          ExtensionOids.AUTHORITY_INFORMATION_ACCESS,
          ExtensionOids.CRL_DISTRIBUTION_POINTS,
          ExtensionOids.NO_REVOCATION_AVAILABLE);

  @Override
  public Optional<String> fault(PlannedCertificate planned) {
    return planned.tbs().extensions().stream()
        .map(Extension::oid)
        .filter(oid -> !KNOWN.contains(oid))
        .findFirst()
        .map(oid -> "extension " + oid + " is not one of this CA's");
  }
}
