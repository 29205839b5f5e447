package org.sluiceca.core.plan.lint;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.plan.lint.RawCertificate.RawExtension;

/** A distribution point says where, by http URIs, and for all reasons. */
final class CrlDistributionPointsLint extends Lint {

  /** The tag of distributionPoint, and of fullName in it. */
  private static final int FIRST = 0xA0;

  CrlDistributionPointsLint() {
    super("crl_distribution_points", "RFC 5280 4.2.1.13", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws MalformedException {
    Optional<RawExtension> extension =
        planned.raw().extension(ExtensionOids.CRL_DISTRIBUTION_POINTS);
    if (extension.isEmpty()) {
      return Optional.empty();
    }
    for (DerElement point : extension.get().value().oneOrMore("cRLDistributionPoints")) {
      DerElement fullName =
          point
              .demand(DerElement.SEQUENCE, "a distribution point")
              .only(FIRST, "a distribution point")
              .only(FIRST, "a distribution point's name");
      List<DerElement> names = fullName.children();
      if (names.isEmpty()) {
        return Optional.of("a distribution point without a name");
      }
      for (DerElement name : names) {
        Optional<String> fault = NameSyntax.httpFault(name);
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    return Optional.empty();
  }
}
