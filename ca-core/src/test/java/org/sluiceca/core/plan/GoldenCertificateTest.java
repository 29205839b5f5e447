package org.sluiceca.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.FullProfiles;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;

/**
 * Certificates of fixed keys, clock and randomness, octet for octet; next to each stands what
 * {@code openssl x509 -text} says of it. A deliberate change is written by {@code
 * -Dgolden.write=folder}, and its reason stands in the commit. ECDSA signatures are random, so of
 * an EC issuer only the bytes to be signed are kept ({@code openssl asn1parse} next to them).
 */
class GoldenCertificateTest {

  record Golden(String name, CertificateProfile profile, String issuerKey, CsrDer csr) {

    boolean isSigned() {
      return !issuerKey.contains("ec-");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Golden> goldens() {
    CsrDer full = CsrFixture.file("openssl-full");
    CsrDer ca = CsrFixture.host("Sluice Test Issuing CA").signedBy(key("ec-p256"));
    CsrDer root = CsrFixture.host("Sluice Test Root CA").signedBy(key("issuer-rsa-2048"));
    CsrDer web = CsrFixture.host("web-1").signedBy(key("ec-p256"));
    CsrDer alice = CsrFixture.host("Alice").signedBy(key("ed25519"));
    return Stream.of(
        new Golden("tls-server-by-rsa", Fixtures.tlsServer(), "issuer-rsa-2048", full),
        new Golden("tls-server-by-ed25519", Fixtures.tlsServer(), "issuer-ed25519", full),
        new Golden("tls-server-by-ec-p256", Fixtures.tlsServer(), "issuer-ec-p256", full),
        new Golden("tls-server-by-ec-p521", Fixtures.tlsServer(), "issuer-ec-p521", full),
        new Golden(
            "short-lived-client-by-rsa", Fixtures.shortLivedClient(), "issuer-rsa-2048", alice),
        new Golden("issuing-ca-by-rsa", Fixtures.issuingCa(), "issuer-rsa-2048", ca),
        new Golden("root-ca-by-rsa", Fixtures.rootCa(), "issuer-rsa-2048", root),
        new Golden("everything-by-rsa", FullProfiles.everything(), "issuer-rsa-2048", web),
        new Golden("constrained-ca-by-rsa", FullProfiles.constrainedCa(), "issuer-rsa-2048", ca),
        new Golden(
            "ocsp-responder-by-ed25519", FullProfiles.ocspResponder(), "issuer-ed25519", web),
        new Golden("time-stamping-by-rsa", FullProfiles.timeStamping(), "issuer-rsa-2048", web));
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void plan_fixedEverything_octetForOctet(Golden golden) throws Exception {
    byte[] der = der(golden);
    write(golden, der);

    assertThat(der).isEqualTo(resource(golden.name() + ".der"));
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void dump_besideIt_isOfTheseOctets(Golden golden) throws Exception {
    String dump = new String(resource(golden.name() + ".txt"), StandardCharsets.UTF_8);
    String serial = plan(golden).serialNumber().hex();

    String bare = dump.replaceAll("[^0-9A-Fa-f]", "").toLowerCase(Locale.ROOT);
    assertThat(bare).contains(serial);
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void certificate_readByTheJdk_verifiesAndSaysTheSame(Golden golden) throws Exception {
    if (!golden.isSigned()) {
      return;
    }
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der(golden)));

    certificate.verify(key(golden.issuerKey()).jdkPublicKey());
    assertThat(certificate.getSerialNumber().toByteArray())
        .isEqualTo(plan(golden).serialNumber().octets());
    assertThat(certificate.getBasicConstraints() >= 0)
        .isEqualTo(golden.profile().content().extensions().isCa());
    assertThat(certificate.hasUnsupportedCriticalExtension()).isFalse();
  }

  private static byte[] der(Golden golden) throws Exception {
    IssuancePlan plan = plan(golden);
    if (!golden.isSigned()) {
      return plan.tbsCertificate().encoded();
    }
    OctetString signature =
        key(golden.issuerKey())
            .sign(plan.signatureAlgorithm(), OctetString.copyOf(plan.tbsCertificate().encoded()));
    return TbsCertificateWriter.assemble(
            plan.tbsCertificate(), plan.signatureAlgorithm(), signature)
        .encoded();
  }

  private static IssuancePlan plan(Golden golden) throws Exception {
    SoftwareKey key = key(golden.issuerKey());
    Issuer issuer =
        golden.profile().issuer().equals(Fixtures.ROOT)
            ? Fixtures.root(key)
            : Fixtures.issuing(key);
    return new AcceptLine(golden.profile(), issuer).plan(golden.csr());
  }

  private static void write(Golden golden, byte[] der) throws IOException {
    String folder = System.getProperty("golden.write", "");
    if (!folder.isEmpty()) {
      Files.write(Path.of(folder, golden.name() + ".der"), der);
    }
  }

  private static SoftwareKey key(String name) {
    return SoftwareKey.named(name);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = GoldenCertificateTest.class.getResourceAsStream("golden/" + name)) {
      if (in == null) {
        throw new IOException("no golden file " + name);
      }
      return in.readAllBytes();
    }
  }
}
