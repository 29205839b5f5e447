package org.sluiceca.core.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/** Certificates of the ledger that say where their revocation is published. Not thread-safe. */
public final class Revocable {

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");

  private final SplittableRandom random;

  /** Starts a sequence that is fixed by {@code seed}. */
  public Revocable(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Returns an issued certificate whose CRL is that of the path below {@code /crl/}. */
  public LedgerEntry onCrl(String path) {
    return issued(
        Fixtures.NOW.plus(Duration.ofDays(47)),
        List.of(Extensions.crlDistributionPoint("http://crl.example.test/base/crl/" + path)));
  }

  /** Returns an issued certificate without revocation information (RFC 9608). */
  public LedgerEntry withoutRevocation() {
    return issued(
        Fixtures.NOW.plus(Duration.ofDays(7)), List.of(Extensions.noRevocationAvailable()));
  }

  /** Returns an issued certificate that says nothing of revocation. */
  public LedgerEntry silent(Instant notAfter) {
    return issued(notAfter, List.of());
  }

  /** Returns an issued certificate of this key. */
  public LedgerEntry of(SoftwareKey key) {
    return issued(
        key,
        Fixtures.NOW.plus(Duration.ofDays(47)),
        List.of(Extensions.crlDistributionPoint("http://crl.example.test/crl/issuing.crl")));
  }

  /** Returns the same as if it had no outcome yet. */
  public static LedgerEntry pending(LedgerEntry entry) {
    return new LedgerEntry(entry.intent(), entry.recordedAt(), Optional.empty());
  }

  private LedgerEntry issued(Instant notAfter, List<Extension> extensions) {
    return issued(KEY, notAfter, extensions);
  }

  private LedgerEntry issued(SoftwareKey key, Instant notAfter, List<Extension> extensions) {
    SerialNumber serialNumber = new SerialNumbers(random).next(notAfter);
    TbsCertificate fields =
        new TbsCertificate(
            OctetString.copyOf(serialNumber.octets()),
            SignatureAlgorithm.ECDSA_SHA256,
            NameCodec.write(name("Sluice Test Issuing CA")),
            new Validity(Fixtures.NOW.minus(Duration.ofDays(1)), notAfter),
            NameCodec.write(name("host.example.test")),
            key.publicKey(),
            extensions.isEmpty()
                ? List.of(Extensions.subjectKeyIdentifier(new byte[20]))
                : extensions);
    return new LedgerEntry(
        new Intent(
            serialNumber,
            TbsCertificateWriter.write(fields),
            SignatureAlgorithm.ECDSA_SHA256,
            new Intent.Origin(Intents.ALICE, new ProfileName("tls-server"), Fixtures.ISSUING),
            Optional.empty(),
            OctetString.copyOf(new byte[32])),
        Fixtures.NOW,
        Optional.of(new Outcome.Issued(Intents.signature(1))));
  }

  private static DistinguishedName name(String commonName) {
    return new DistinguishedName(
        List.of(new DistinguishedName.Attribute(NameAttribute.COMMON_NAME, commonName)));
  }
}
