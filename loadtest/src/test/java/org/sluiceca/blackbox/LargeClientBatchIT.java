package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code sluice batch} on ten thousand requests, each of a key of its own, killed in the middle and
 * run again: the service has one certificate of each key and no other. {@code -Dbatch.requests=N}
 * for another number.
 */
@Tag("nightly")
class LargeClientBatchIT {

  /** Its own: no other test may find that the trial is busy. */
  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(1));

  private static final int REQUESTS = Integer.getInteger("batch.requests", 10_000);
  private static final String DOMAIN = "large.example.com";

  @TempDir private Path folder;

  @Test
  void batch_tenThousandKilledAndRunAgain_oneCertificateOfEachKey() throws Exception {
    KilledBatch batch = new KilledBatch(TRIAL.trial(), folder);
    Set<PublicKey> keys = requests(folder.resolve("requests"));

    long begin = System.nanoTime();
    batch.killedAt(REQUESTS / 2);
    long killed = System.nanoTime();
    int early = batch.certificates().size();
    long resumed = System.nanoTime();
    Program.Ended again = batch.again();
    long end = System.nanoTime();

    assertThat(early).isBetween(REQUESTS / 3, REQUESTS - 1);
    assertThat(again.errors()).contains(REQUESTS + " of " + REQUESTS + " are issued");
    List<X509Certificate> certificates = batch.certificates();
    assertThat(certificates).hasSize(REQUESTS);
    assertThat(keysOf(certificates)).as("none missing").isEqualTo(keys);
    List<JsonNode> found = batch.found(DOMAIN);
    assertThat(found).as("none twice").hasSize(REQUESTS);
    assertThat(serials(found)).isEqualTo(serials(certificates.toArray(X509Certificate[]::new)));
    Evidence.note(
        "a batch of %d: killed after %.1f s with %d certificates there, the rest in %.1f s"
            .formatted(REQUESTS, seconds(begin, killed), early, seconds(resumed, end)));
  }

  private static double seconds(long begin, long end) {
    return Duration.ofNanos(end - begin).toMillis() / 1e3;
  }

  private static Set<PublicKey> keysOf(List<X509Certificate> certificates) {
    Set<PublicKey> keys = new HashSet<>();
    certificates.forEach(certificate -> keys.add(certificate.getPublicKey()));
    return keys;
  }

  private static Set<BigInteger> serials(List<JsonNode> found) {
    Set<BigInteger> serials = new HashSet<>();
    found.forEach(line -> serials.add(new BigInteger(line.path("serial").asString(), 16)));
    return serials;
  }

  private static Set<BigInteger> serials(X509Certificate... certificates) {
    Set<BigInteger> serials = new HashSet<>();
    for (X509Certificate certificate : certificates) {
      serials.add(certificate.getSerialNumber());
    }
    return serials;
  }

  /** Writes them; returns the keys that are in them. */
  private static Set<PublicKey> requests(Path to) throws IOException, GeneralSecurityException {
    Files.createDirectory(to);
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    Set<PublicKey> keys = new HashSet<>();
    for (int i = 0; i < REQUESTS; i++) {
      KeyPair pair = generator.generateKeyPair();
      keys.add(pair.getPublic());
      Files.write(to.resolve("h" + i + ".der"), request("h" + i + "." + DOMAIN, pair));
    }
    return keys;
  }

  /** RFC 2986: the profile takes the common name as the DNS name. */
  private static byte[] request(String name, KeyPair pair)
      throws IOException, GeneralSecurityException {
    CertificationRequestInfo info =
        new CertificationRequestInfo(
            new X500Name("CN=" + name),
            SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()),
            null);
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(info.getEncoded(ASN1Encoding.DER));
    return new CertificationRequest(
            info,
            new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256),
            new DERBitString(signature.sign()))
        .getEncoded(ASN1Encoding.DER);
  }
}
