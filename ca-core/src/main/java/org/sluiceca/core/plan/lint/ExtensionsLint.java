package org.sluiceca.core.plan.lint;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ExtensionPolicy;

/** No extension stands there that the profile does not speak of. */
final class ExtensionsLint extends Lint {

  private static final Set<String> ALWAYS =
      Set.of(
          ExtensionOids.BASIC_CONSTRAINTS,
          ExtensionOids.KEY_USAGE,
          ExtensionOids.SUBJECT_KEY_IDENTIFIER,
          ExtensionOids.AUTHORITY_KEY_IDENTIFIER);

  ExtensionsLint() {
    super("extensions", "RFC 5280 4.2", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    Set<String> expected = expected(planned.profile().content());
    return planned.raw().extensions().stream()
        .map(RawExtension::oid)
        .filter(oid -> !expected.contains(oid))
        .findFirst()
        .map(oid -> "extension " + oid + " is not one of the profile's");
  }

  /** What may stand there; whether it does is for the lint of each kind to say. */
  private static Set<String> expected(CertificateProfile.Content content) {
    ExtensionPolicy policy = content.extensions();
    Set<String> expected = new HashSet<>(ALWAYS);
    if (!policy.extendedKeyUsage().isEmpty()) {
      expected.add(ExtensionOids.EXTENDED_KEY_USAGE);
    }
    if (!content.subjectAltName().forms().isEmpty()) {
      expected.add(ExtensionOids.SUBJECT_ALT_NAME);
    }
    if (!policy.additions().policies().isEmpty()) {
      expected.add(ExtensionOids.CERTIFICATE_POLICIES);
    }
    if (!policy.additions().nameConstraints().isEmpty()) {
      expected.add(ExtensionOids.NAME_CONSTRAINTS);
    }
    if (policy.additions().isOcspNoCheck()) {
      expected.add(ExtensionOids.OCSP_NO_CHECK);
    }
    switch (policy.revocation()) {
      case CRL -> {
        expected.add(ExtensionOids.AUTHORITY_INFORMATION_ACCESS);
        expected.add(ExtensionOids.CRL_DISTRIBUTION_POINTS);
      }
      case NEVER_AVAILABLE -> {
        expected.add(ExtensionOids.AUTHORITY_INFORMATION_ACCESS);
        expected.add(ExtensionOids.NO_REVOCATION_AVAILABLE);
      }
      case UNSTATED -> {}
    }
    for (AddedExtension other : policy.additions().others()) {
      expected.add(other.oid());
    }
    return expected;
  }
}
