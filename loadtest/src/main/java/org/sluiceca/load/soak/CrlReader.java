package org.sluiceca.load.soak;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CRLReason;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.OptionalLong;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.sluiceca.load.soak.judge.CrlView;
import org.sluiceca.load.soak.judge.ExpectedState;

/**
 * Reads the CRLs of one scope with the JDK's parser and verifies them under the issuer's key. The
 * same octets are read once. Thread-safe.
 */
final class CrlReader {

  private static final String NUMBER = "2.5.29.20";
  private static final String DELTA_INDICATOR = "2.5.29.27";
  private static final String DISTRIBUTION_POINT = "2.5.29.28";

  /** The default of sluice.clock-skew: how far thisUpdate lies before the time of issue. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

  /** More than are served at a time. */
  private static final int KEPT = 16;

  private final String path;
  private final X509Certificate issuer;
  private final ExpectedState expected;
  private final LinkedHashMap<String, CrlView> read = new LinkedHashMap<>();

  /** Of the scope whose complete CRL is at {@code path}. */
  CrlReader(String path, X509Certificate issuer, ExpectedState expected) {
    this.path = path;
    this.issuer = issuer;
    this.expected = expected;
  }

  /**
   * Returns what it says.
   *
   * @param isDelta whether a delta was asked for
   * @throws GeneralSecurityException if it is not what was asked for, or not the issuer's
   */
  synchronized CrlView read(byte[] der, boolean isDelta) throws GeneralSecurityException {
    String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
    CrlView known = read.get(digest);
    if (known == null) {
      known = parse(der, digest);
      read.put(digest, known);
      if (read.size() > KEPT) {
        var ignored = read.pollFirstEntry();
      }
    }
    if (known.isDelta() != isDelta) {
      throw new GeneralSecurityException(isDelta ? "no delta" : "a delta");
    }
    return known;
  }

  private CrlView parse(byte[] der, String digest) throws GeneralSecurityException {
    X509CRL crl =
        (X509CRL)
            CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der));
    crl.verify(issuer.getPublicKey());
    byte[] point = crl.getExtensionValue(DISTRIBUTION_POINT);
    if (!crl.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())
        || point == null
        || !new String(point, StandardCharsets.ISO_8859_1).contains(path)) {
      throw new GeneralSecurityException("it is not of " + path);
    }
    BitSet revoked = new BitSet();
    BitSet removed = new BitSet();
    Set<? extends X509CRLEntry> entries = crl.getRevokedCertificates();
    for (X509CRLEntry entry : entries == null ? Set.<X509CRLEntry>of() : entries) {
      int number = expected.numberOf(entry.getSerialNumber().toString(16), path);
      (entry.getRevocationReason() == CRLReason.REMOVE_FROM_CRL ? removed : revoked).set(number);
    }
    return new CrlView(
        integer(crl, NUMBER).orElseThrow(() -> new GeneralSecurityException("no cRLNumber")),
        integer(crl, DELTA_INDICATOR),
        crl.getThisUpdate().toInstant(),
        crl.getThisUpdate().toInstant().plus(CLOCK_SKEW),
        crl.getNextUpdate().toInstant(),
        digest,
        revoked,
        removed);
  }

  private static OptionalLong integer(X509CRL crl, String extension)
      throws GeneralSecurityException {
    byte[] value = crl.getExtensionValue(extension);
    if (value == null) {
      return OptionalLong.empty();
    }
    try {
      byte[] inner = ASN1OctetString.getInstance(value).getOctets();
      BigInteger number = ASN1Integer.getInstance(inner).getValue();
      return OptionalLong.of(number.longValueExact());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new GeneralSecurityException("no number in " + extension, e);
    }
  }
}
