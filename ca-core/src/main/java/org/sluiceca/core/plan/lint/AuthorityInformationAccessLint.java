package org.sluiceca.core.plan.lint;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;

/** Where the issuer's certificate is found is said by http URIs. */
final class AuthorityInformationAccessLint extends Lint {

  private static final String OCSP = "1.3.6.1.5.5.7.48.1";
  private static final String CA_ISSUERS = "1.3.6.1.5.5.7.48.2";

  AuthorityInformationAccessLint() {
    super("authority_information_access", "RFC 5280 4.2.2.1", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    Optional<RawExtension> extension =
        planned.raw().extension(ExtensionOids.AUTHORITY_INFORMATION_ACCESS);
    if (extension.isEmpty()) {
      return Optional.empty();
    }
    for (DerElement description : extension.get().value().oneOrMore("authorityInfoAccess")) {
      List<DerElement> pair =
          description.demand(DerElement.SEQUENCE, "an access description").children();
      if (pair.size() != 2) {
        return Optional.of(
            String.format(Locale.ROOT, "an access description of %d parts", pair.size()));
      }
      String method = pair.get(0).oid();
      if (!method.equals(CA_ISSUERS) && !method.equals(OCSP)) {
        return Optional.of("unknown access method " + method);
      }
      Optional<String> fault = NameSyntax.httpFault(pair.get(1));
      if (fault.isPresent()) {
        return fault;
      }
    }
    return Optional.empty();
  }
}
