package org.sluiceca.api.cli.ceremony.files;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CRLReason;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A CRL that an issuer of this CA has signed, complete or delta, read back from what was published.
 *
 * @param scope what it covers, by its issuingDistributionPoint (RFC 5280 5.2.5)
 * @param entries those of revoked certificates, in its order
 */
public record PublishedCrl(CrlScope scope, List<Entry> entries) {

  private static final String ISSUING_DISTRIBUTION_POINT = "2.5.29.28";

  private static final String INVALIDITY_DATE = "2.5.29.24";

  /** An OCTET STRING and a GeneralizedTime of less than 128 octets each. */
  private static final int TWO_HEADERS = 4;

  /** RFC 5280 4.1.2.5.2: seconds, and no fractions. */
  private static final DateTimeFormatter GENERALIZED_TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmssX", Locale.ROOT);

  private static final Pattern SHARD =
      Pattern.compile("/crl/[a-z][a-z0-9-]*/([1-9][0-9]{0,3})(?:-delta)?\\.crl");

  /** A certificate on it. */
  public record Entry(SerialNumber serialNumber, Change.Revoked revoked) {}

  /** Copies. */
  public PublishedCrl {
    entries = List.copyOf(entries);
  }

  /**
   * Reads and verifies.
   *
   * @throws IllegalArgumentException if it is no CRL, or none of these issuers has signed it
   */
  public static PublishedCrl of(InputStream der, List<RegisteredIssuer> issuers) {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      X509CRL crl = (X509CRL) factory.generateCRL(der);
      for (RegisteredIssuer issuer : issuers) {
        X509Certificate certificate =
            (X509Certificate)
                factory.generateCertificate(
                    new ByteArrayInputStream(issuer.certificate().encoded()));
        if (isSignedBy(crl, certificate)) {
          return new PublishedCrl(scope(crl, issuer.name()), entries(crl));
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not a CRL", e);
    }
    throw new IllegalArgumentException("a CRL that no issuer of this CA has signed");
  }

  private static boolean isSignedBy(X509CRL crl, X509Certificate issuer) {
    try {
      crl.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static CrlScope scope(X509CRL crl, IssuerName issuer) {
    byte[] point = crl.getExtensionValue(ISSUING_DISTRIBUTION_POINT);
    Matcher shard =
        SHARD.matcher(point == null ? "" : new String(point, StandardCharsets.ISO_8859_1));
    return new CrlScope(issuer, shard.find() ? Integer.parseInt(shard.group(1)) : 0);
  }

  private static List<Entry> entries(X509CRL crl) {
    List<Entry> entries = new ArrayList<>();
    // Null, and not empty, says the JDK.
    Set<? extends X509CRLEntry> revoked =
        Optional.<Set<? extends X509CRLEntry>>ofNullable(crl.getRevokedCertificates())
            .orElse(Set.of());
    for (X509CRLEntry entry : revoked) {
      Optional<CRLReason> reason = Optional.ofNullable(entry.getRevocationReason());
      // RFC 5280 5.3.1: the end of a hold, in deltas alone.
      if (reason.filter(CRLReason.REMOVE_FROM_CRL::equals).isEmpty()) {
        entries.add(
            new Entry(
                serialNumber(entry.getSerialNumber()),
                new Change.Revoked(
                    // Of one name, the standard's.
                    reason
                        .map(r -> RevocationReason.valueOf(r.name()))
                        .orElse(RevocationReason.UNSPECIFIED),
                    invalidityDate(entry),
                    Optional.of(entry.getRevocationDate().toInstant()))));
      }
    }
    return entries;
  }

  /** RFC 5280 5.3.2. */
  private static Optional<Instant> invalidityDate(X509CRLEntry entry) {
    return Optional.ofNullable(entry.getExtensionValue(INVALIDITY_DATE))
        .map(
            octets ->
                new String(
                    octets, TWO_HEADERS, octets.length - TWO_HEADERS, StandardCharsets.US_ASCII))
        .map(time -> GENERALIZED_TIME.parse(time, Instant::from));
  }

  private static SerialNumber serialNumber(BigInteger number) {
    return SerialNumber.of(number.toByteArray());
  }
}
