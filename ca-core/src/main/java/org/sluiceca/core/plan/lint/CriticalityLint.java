package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;
import org.sluiceca.core.x509.ExtendedKeyUsage;

/** Every extension is critical exactly if its standard says so. */
final class CriticalityLint extends Lint {

  private static final Set<String> ALWAYS =
      Set.of(
          ExtensionOids.BASIC_CONSTRAINTS, ExtensionOids.KEY_USAGE, ExtensionOids.NAME_CONSTRAINTS);

  private static final Set<String> NEVER =
      Set.of(
          ExtensionOids.SUBJECT_KEY_IDENTIFIER,
          ExtensionOids.AUTHORITY_KEY_IDENTIFIER,
          ExtensionOids.CERTIFICATE_POLICIES,
          ExtensionOids.CRL_DISTRIBUTION_POINTS,
          ExtensionOids.AUTHORITY_INFORMATION_ACCESS,
          ExtensionOids.NO_REVOCATION_AVAILABLE,
          ExtensionOids.OCSP_NO_CHECK);

  CriticalityLint() {
    super(
        "criticality",
        "RFC 5280 4.2; RFC 3161 2.3; RFC 6960 4.2.2.2.1; RFC 9608 2",
        LocalDate.of(2024, 7, 1));
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    for (RawExtension extension : planned.raw().extensions()) {
      boolean wanted;
      if (ALWAYS.contains(extension.oid())) {
        wanted = true;
      } else if (NEVER.contains(extension.oid())) {
        wanted = false;
      } else if (extension.oid().equals(ExtensionOids.SUBJECT_ALT_NAME)) {
        wanted = planned.raw().subject().length() == 0;
      } else if (extension.oid().equals(ExtensionOids.EXTENDED_KEY_USAGE)) {
        wanted = isTimeStamping(extension.value());
      } else {
        continue; // Of the profile's own, which says it.
      }
      if (extension.isCritical() != wanted) {
        return Optional.of(
            String.format(
                Locale.ROOT, "extension %s is %scritical", extension.oid(), wanted ? "not " : ""));
      }
    }
    return Optional.empty();
  }

  private static boolean isTimeStamping(DerElement value) throws MalformedException {
    List<DerElement> purposes = value.demand(DerElement.SEQUENCE, "extKeyUsage").children();
    for (DerElement purpose : purposes) {
      if (purpose.oid().equals(ExtendedKeyUsage.TIME_STAMPING.oid())) {
        return true;
      }
    }
    return false;
  }
}
