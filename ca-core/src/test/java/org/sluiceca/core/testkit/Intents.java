package org.sluiceca.core.testkit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/**
 * Makes intents that differ from one another and hold the bytes of a real TBSCertificate. The same
 * seed gives the same intents. Thread-safe.
 */
public final class Intents {

  /** Who asks, unless a test says otherwise. */
  public static final RequesterId ALICE = new RequesterId("alice");

  /** Another requester. */
  public static final RequesterId BOB = new RequesterId("bob");

  private static final Instant NOT_BEFORE = Instant.parse("2026-11-21T00:00:00Z");
  private static final Duration LIFETIME = Duration.ofDays(47);
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");

  private final long seed;
  private final AtomicLong count = new AtomicLong();

  /** Starts a sequence of intents that is fixed by {@code seed}. */
  public Intents(long seed) {
    this.seed = seed;
  }

  /** Returns the next intent, of {@link #ALICE}, without an idempotency key. */
  public Intent next() {
    return make(ALICE, Optional.empty(), NOT_BEFORE.plus(LIFETIME));
  }

  /** Returns the next intent, of {@code requester} under {@code key}. */
  public Intent next(RequesterId requester, IdempotencyKey key) {
    return make(requester, Optional.of(key), NOT_BEFORE.plus(LIFETIME));
  }

  /** Returns the next intent, for another public key. */
  public Intent next(SoftwareKey key) {
    return make(ALICE, Optional.empty(), NOT_BEFORE.plus(LIFETIME), key);
  }

  /** Returns the next intent, whose certificate would expire at {@code notAfter}. */
  public Intent expiringAt(Instant notAfter) {
    return make(ALICE, Optional.empty(), notAfter);
  }

  /** Returns what the key of an issuer could have answered: octets of the length of a signature. */
  public static OctetString signature(long seed) {
    byte[] octets = new byte[71];
    new SplittableRandom(seed).nextBytes(octets);
    return OctetString.copyOf(octets);
  }

  /** Returns {@code intent} as if it had come without an idempotency key. */
  public static Intent keyless(Intent intent) {
    return new Intent(
        intent.serialNumber(),
        intent.tbsCertificate(),
        intent.signatureAlgorithm(),
        intent.origin(),
        Optional.empty(),
        intent.payloadHash());
  }

  private Intent make(RequesterId requester, Optional<IdempotencyKey> key, Instant notAfter) {
    return make(requester, key, notAfter, KEY);
  }

  private Intent make(
      RequesterId requester,
      Optional<IdempotencyKey> key,
      Instant notAfter,
      SoftwareKey publicKey) {
    long number = count.getAndIncrement();
    SerialNumber serialNumber =
        new SerialNumbers(new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number)).next(notAfter);
    String host = "host-" + number + ".example.test";
    TbsCertificate fields =
        new TbsCertificate(
            OctetString.copyOf(serialNumber.octets()),
            SignatureAlgorithm.ECDSA_SHA256,
            NameCodec.write(commonName("Test Issuing CA")),
            new Validity(NOT_BEFORE, notAfter),
            NameCodec.write(commonName(host)),
            publicKey.publicKey(),
            List.of(Extensions.subjectAltName(List.of(new GeneralName.Dns(host)), false)));
    return new Intent(
        serialNumber,
        TbsCertificateWriter.write(fields),
        SignatureAlgorithm.ECDSA_SHA256,
        new Intent.Origin(
            requester, new ProfileName("tls-server"), new IssuerName("issuing"), OptionalInt.of(3)),
        key,
        sha256(host));
  }

  private static DistinguishedName commonName(String value) {
    return new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, value)));
  }

  private static OctetString sha256(String text) {
    try {
      return OctetString.copyOf(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
