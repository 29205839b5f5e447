package org.sluiceca.core.der;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.NameConstraints;

/** Reads from a chain what it allows the certificates below it. Verifies no signature. */
public final class ChainConstraints {

  private ChainConstraints() {}

  /**
   * Reads the constraints of every certificate, the trust anchor's too: RFC 5280 6.1.1 leaves them
   * to the relying party, and some keep them.
   *
   * @param chain the issuer's own certificate first
   */
  public static IssuerConstraints of(List<CertificateDer> chain) throws DerException {
    OptionalInt pathLen = OptionalInt.empty();
    List<NameConstraints> names = new ArrayList<>();
    for (int i = 0; i < chain.size(); i++) {
      TbsCertificate certificate = CertificateReader.read(chain.get(i)).fields();
      OptionalInt own = pathLen(certificate);
      if (own.isPresent()) {
        // Those below it in the chain are counted already.
        int left = Math.max(0, own.getAsInt() - i);
        pathLen = OptionalInt.of(Math.min(left, pathLen.orElse(left)));
      }
      Optional<Extension> constraints = certificate.extension(ExtensionOids.NAME_CONSTRAINTS);
      if (constraints.isPresent()) {
        names.add(ExtensionReader.nameConstraints(constraints.get()));
      }
    }
    return new IssuerConstraints(pathLen, names);
  }

  private static OptionalInt pathLen(TbsCertificate certificate) throws DerException {
    Optional<Extension> basic = certificate.extension(ExtensionOids.BASIC_CONSTRAINTS);
    return basic.isPresent() ? ExtensionReader.pathLen(basic.get()) : OptionalInt.empty();
  }
}
