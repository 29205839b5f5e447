package org.sluiceca.core.plan.lint;

import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.ExtensionPolicy.Revocation;

/** No extension stands there that the profile does not speak of. */
final class ExtensionsLint extends Lint {

  ExtensionsLint() {
    super("extensions", "RFC 5280 4.2", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) {
    for (RawExtension extension : planned.raw().extensions()) {
      if (!isExpected(extension.oid(), planned.profile().content())) {
        return Optional.of("extension " + extension.oid() + " is not one of the profile's");
      }
    }
    return Optional.empty();
  }

  /** What may stand there; whether it does is for the lint of each kind to say. */
  private static boolean isExpected(String oid, CertificateProfile.Content content) {
    ExtensionPolicy policy = content.extensions();
    boolean isKnown =
        switch (oid) {
          case ExtensionOids.BASIC_CONSTRAINTS,
              ExtensionOids.KEY_USAGE,
              ExtensionOids.SUBJECT_KEY_IDENTIFIER,
              ExtensionOids.AUTHORITY_KEY_IDENTIFIER ->
              true;
          case ExtensionOids.EXTENDED_KEY_USAGE -> !policy.extendedKeyUsage().isEmpty();
          case ExtensionOids.SUBJECT_ALT_NAME -> !content.subjectAltName().forms().isEmpty();
          case ExtensionOids.CERTIFICATE_POLICIES -> !policy.additions().policies().isEmpty();
          case ExtensionOids.NAME_CONSTRAINTS -> !policy.additions().nameConstraints().isEmpty();
          case ExtensionOids.OCSP_NO_CHECK -> policy.additions().isOcspNoCheck();
          case ExtensionOids.AUTHORITY_INFORMATION_ACCESS ->
              policy.revocation() != Revocation.UNSTATED;
          case ExtensionOids.CRL_DISTRIBUTION_POINTS -> policy.revocation() == Revocation.CRL;
          case ExtensionOids.NO_REVOCATION_AVAILABLE ->
              policy.revocation() == Revocation.NEVER_AVAILABLE;
          default -> false;
        };
    return isKnown || isAdded(oid, policy);
  }

  private static boolean isAdded(String oid, ExtensionPolicy policy) {
    for (AddedExtension other : policy.additions().others()) {
      if (other.oid().equals(oid)) {
        return true;
      }
    }
    return false;
  }
}
