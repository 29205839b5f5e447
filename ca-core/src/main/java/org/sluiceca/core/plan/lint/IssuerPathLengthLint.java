package org.sluiceca.core.plan.lint;

import java.util.Optional;
import java.util.OptionalInt;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.x509.Extension;

/** A CA stands only below issuers whose path lengths leave room for it. */
final class IssuerPathLengthLint extends Lint {

  IssuerPathLengthLint() {
    super("issuer_path_length", "RFC 5280 4.2.1.9, 6.1.4", RFC_5280);
  }

  @Override
  Optional<String> fault(PlannedCertificate planned) throws DerException {
    Optional<Extension> basic = planned.tbs().extension(ExtensionOids.BASIC_CONSTRAINTS);
    OptionalInt room = planned.issuer().constraints().pathLen();
    if (basic.isEmpty() || room.isEmpty() || !ExtensionReader.isCa(basic.get())) {
      return Optional.empty();
    }
    return room.getAsInt() > 0
        ? Optional.empty()
        : Optional.of("the issuer's pathLenConstraint allows no CA below it");
  }
}
