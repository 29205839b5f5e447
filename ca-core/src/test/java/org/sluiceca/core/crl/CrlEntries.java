package org.sluiceca.core.crl;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.cert.CRLReason;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/** What a relying party takes from a CRL, as the JDK's parser reads it. */
public final class CrlEntries {

  private static final Issuer ISSUER = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));

  private CrlEntries() {}

  /** Reads the entries of a TBSCertList: by serial number reason, date and invalidityDate. */
  public static Map<BigInteger, String> of(TbsCertListDer tbs) {
    Map<BigInteger, String> entries = new TreeMap<>();
    @Nullable Set<? extends X509CRLEntry> revoked = parse(tbs).getRevokedCertificates();
    for (X509CRLEntry entry : revoked == null ? Set.<X509CRLEntry>of() : revoked) {
      byte @Nullable [] invalidity = entry.getExtensionValue("2.5.29.24");
      entries.put(
          entry.getSerialNumber(),
          String.format(
              Locale.ROOT,
              "%s at %s %s",
              entry.getRevocationReason(),
              entry.getRevocationDate().toInstant(),
              invalidity == null ? "" : Base64.getEncoder().encodeToString(invalidity)));
    }
    return entries;
  }

  /** Reads entries that are on no CRL yet. */
  static Map<BigInteger, String> of(RevokedCertificates entries) {
    return of(
        TbsCertListWriter.write(
            new TbsCertListWriter.Fields(
                SignatureAlgorithm.ECDSA_SHA256,
                ISSUER.subject(),
                Fixtures.NOW,
                Fixtures.NOW.plusSeconds(60),
                ISSUER.keyIdentifier(),
                1,
                Optional.empty(),
                new TbsCertListWriter.Kind.Complete(Optional.empty())),
            entries));
  }

  /** Puts a delta to a complete CRL, as RFC 5280 5.2.4 says. */
  public static Map<BigInteger, String> combine(
      Map<BigInteger, String> complete, Map<BigInteger, String> delta) {
    Map<BigInteger, String> combined = new TreeMap<>(complete);
    delta.forEach(
        (serial, entry) -> {
          if (entry.startsWith(CRLReason.REMOVE_FROM_CRL.toString())) {
            var _ = combined.remove(serial);
          } else {
            combined.put(serial, entry);
          }
        });
    return combined;
  }

  /** Parses a TBSCertList under whatever signature. */
  static X509CRL parse(TbsCertListDer tbs) {
    byte[] encoded =
        TbsCertListWriter.assemble(tbs, SignatureAlgorithm.ECDSA_SHA256, Intents.signature(1))
            .encoded();
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(encoded));
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
