package org.sluiceca.core.revoke;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * What one CRL covers: those certificates of an issuer whose CRL distribution point names this
 * shard.
 *
 * @param shard 0 for {@code /crl/ISSUER.crl}, 1 to 9,999 for {@code /crl/ISSUER/SHARD.crl}
 */
public record CrlScope(IssuerName issuer, int shard) {

  /** Four digits in a URI; a shard of 100,000 entries each is a billion revoked certificates. */
  public static final int SHARD_MAX = 9_999;

  private static final Pattern PATH =
      Pattern.compile("/crl/[a-z][a-z0-9-]*(?:/([1-9][0-9]{0,3}))?\\.crl$");

  public CrlScope {
    if (shard < 0 || shard > SHARD_MAX) {
      throw new IllegalArgumentException("no shard " + shard);
    }
  }

  /** Returns the path at which its CRL is served. */
  public String path() {
    return shard == 0 ? "/crl/" + issuer + ".crl" : "/crl/" + issuer + "/" + shard + ".crl";
  }

  /**
   * Reads from a certificate's own CRL distribution point (RFC 5280 4.2.1.13) on which CRL it
   * belongs. A certificate that names none of ours belongs on shard 0.
   *
   * @return empty if it says that no revocation information will ever be available (RFC 9608)
   */
  public static Optional<CrlScope> of(IssuerName issuer, TbsCertificateDer tbs) {
    try {
      TbsCertificate certificate = CertificateReader.read(tbs);
      if (certificate.extension(ExtensionOids.NO_REVOCATION_AVAILABLE).isPresent()) {
        return Optional.empty();
      }
      Optional<Extension> points = certificate.extension(ExtensionOids.CRL_DISTRIBUTION_POINTS);
      if (points.isPresent()) {
        for (String uri : ExtensionReader.crlDistributionPoints(points.get())) {
          Matcher path = PATH.matcher(uri);
          if (path.find()) {
            String shard = path.group(1);
            return Optional.of(new CrlScope(issuer, shard == null ? 0 : Integer.parseInt(shard)));
          }
        }
      }
      return Optional.of(new CrlScope(issuer, 0));
    } catch (DerException e) {
      throw new IllegalStateException("a recorded certificate does not parse: " + e.fault(), e);
    }
  }

  @Override
  public String toString() {
    return shard == 0 ? issuer.value() : issuer + "/" + shard;
  }
}
