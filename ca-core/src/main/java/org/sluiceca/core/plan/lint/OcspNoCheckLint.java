package org.sluiceca.core.plan.lint;

import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;

/**
 * ocsp-nocheck stands there if the profile says so, and in an OCSP responder's certificate only.
 */
final class OcspNoCheckLint extends Lint {

  OcspNoCheckLint() {
    super("ocsp_no_check", "RFC 6960 4.2.2.2.1", LocalDate.of(2013, 6, 1));
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException, MalformedException {
    Optional<RawExtension> noCheck = planned.raw().extension(ExtensionOids.OCSP_NO_CHECK);
    boolean wanted = planned.profile().content().extensions().additions().isOcspNoCheck();
    if (noCheck.isPresent() != wanted) {
      return Optional.of("ocsp-nocheck is " + (wanted ? "missing" : "not the profile's"));
    }
    if (noCheck.isEmpty()) {
      return Optional.empty();
    }
    if (noCheck.get().value().demand(DerElement.NULL, "ocsp-nocheck").length() != 0) {
      return Optional.of("ocsp-nocheck with content");
    }
    Optional<Extension> purposes = planned.tbs().extension(ExtensionOids.EXTENDED_KEY_USAGE);
    return purposes.isPresent()
            && ExtensionReader.extendedKeyUsage(purposes.get())
                .equals(Set.of(ExtendedKeyUsage.OCSP_SIGNING.oid()))
        ? Optional.empty()
        : Optional.of("ocsp-nocheck in a certificate with another purpose");
  }
}
