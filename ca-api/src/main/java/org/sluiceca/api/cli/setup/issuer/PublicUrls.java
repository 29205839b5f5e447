package org.sluiceca.api.cli.setup.issuer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.sluiceca.api.cli.setup.store.PlannedCertificates;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.IssuerName;

/** The public URL as certificates name it, each of which keeps it for as long as it is valid. */
public final class PublicUrls {

  private PublicUrls() {}

  /** Returns the public URL in a certificate of this issuer of ours; empty if it names none. */
  public static Optional<String> of(CertificateDer certificate, IssuerName issuer) {
    return of(() -> CertificateReader.read(certificate).fields(), issuer);
  }

  private interface Reading {
    TbsCertificate read() throws DerException;
  }

  private static Optional<String> of(Reading certificate, IssuerName issuer) {
    Pattern published =
        Pattern.compile(
            "(https?://.+)/(?:crl/%1$s(?:/[0-9]+)?\\.crl|issuers/%1$s\\.cer)"
                .replace("%1$s", Pattern.quote(issuer.value())));
    try {
      return uris(certificate.read()).stream()
          .map(published::matcher)
          .filter(Matcher::matches)
          .map(found -> found.group(1))
          .findFirst();
    } catch (DerException e) {
      throw new IllegalStateException(
          "a certificate of issuer " + issuer + " does not parse: " + e.fault(), e);
    }
  }

  private static List<String> uris(TbsCertificate certificate) throws DerException {
    List<String> uris = new ArrayList<>();
    Optional<Extension> points = certificate.extension(ExtensionOids.CRL_DISTRIBUTION_POINTS);
    if (points.isPresent()) {
      uris.addAll(ExtensionReader.crlDistributionPoints(points.get()));
    }
    Optional<Extension> access = certificate.extension(ExtensionOids.AUTHORITY_INFORMATION_ACCESS);
    if (access.isPresent()) {
      ExtensionReader.authorityInfoAccess(access.get()).stream()
          .map(Map.Entry::getValue)
          .forEach(uris::add);
    }
    return uris;
  }

  /**
   * Returns the public URLs in certificates that this issuer has issued, each once; more than one
   * if nodes were started with different ones. Of a large ledger some certificates are looked at.
   * Blocks for some milliseconds.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  static Set<String> ofIssued(LedgerDatabase database, IssuerName issuer) {
    return PlannedCertificates.of(database, issuer).stream()
        .flatMap(certificate -> of(() -> CertificateReader.read(certificate), issuer).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
