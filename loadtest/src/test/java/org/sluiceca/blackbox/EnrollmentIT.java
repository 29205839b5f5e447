package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** CSRs of every common tool become certificates that every common tool accepts. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class EnrollmentIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final Duration LIFETIME = Duration.ofDays(90);
  private static final int DNS_NAME = 2;

  /** A way to make a CSR with the given DNS name. */
  private record Maker(String title, Function<String, Csr> make) {}

  private static Stream<Maker> makers() {
    Path folder = TRIAL.trial().folder();
    return Stream.concat(
        Stream.of(Csr.KeyType.values())
            .map(type -> new Maker("openssl " + type, name -> Csr.openssl(folder, type, name))),
        Stream.of(
            new Maker(
                "certtool RSA",
                name -> Csr.certtool(folder, List.of("--key-type", "rsa", "--bits", "2048"), name)),
            new Maker(
                "certtool EC",
                name ->
                    Csr.certtool(
                        folder, List.of("--key-type", "ecdsa", "--curve", "secp256r1"), name)),
            new Maker(
                "certtool Ed25519",
                name -> Csr.certtool(folder, List.of("--key-type", "ed25519"), name)),
            new Maker(
                "keytool RSA, SAN",
                name ->
                    Csr.keytool(
                        folder,
                        List.of("-keyalg", "RSA", "-keysize", "2048"),
                        name,
                        "-ext",
                        "SAN=dns:" + name)),
            new Maker(
                "keytool EC, no SAN",
                name ->
                    Csr.keytool(folder, List.of("-keyalg", "EC", "-groupname", "secp256r1"), name)),
            new Maker(
                "keytool Ed25519, SAN",
                name ->
                    Csr.keytool(
                        folder, List.of("-keyalg", "Ed25519"), name, "-ext", "SAN=dns:" + name))));
  }

  @TestFactory
  Stream<DynamicTest> enroll_csrOfForeignTool_everyJudgeAcceptsCertificate() {
    return makers()
        .map(maker -> DynamicTest.dynamicTest(maker.title(), () -> enrollEveryWay(maker)));
  }

  private static void enrollEveryWay(Maker maker) throws IOException {
    Trial trial = TRIAL.trial();
    String name = maker.title().toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    Csr csr = maker.make().apply(name + ".example.com");
    Path der = Files.write(Files.createTempFile(trial.folder(), "csr", ".der"), csr.der());

    judge(csr, curl(Api.PKCS10, "@" + csr.pem(), "?profile=tls-server"));
    judge(csr, curl(Api.PKCS10, "@" + der, "?profile=tls-server"));
    String json = Answer.json(Map.of("profile", "tls-server", "csr", csr.pemText()));
    judge(csr, curl(Api.JSON, "@" + Csr.write(trial.folder(), json), ""));
    Path out = Files.createTempFile(trial.folder(), "cert", ".pem");
    trial
        .sluice(
            "enroll",
            "--profile",
            "tls-server",
            "--csr",
            csr.pem().toString(),
            "--out",
            out.toString())
        .run()
        .ok();
    judge(csr, out);
  }

  /**
   * Enrolls as docs/TUTORIAL.md shows it; the token goes in by a file, never by the command line.
   */
  private static Path curl(String contentType, String body, String query) {
    Trial trial = TRIAL.trial();
    Path out = Csr.write(trial.folder(), "");
    Path head = Csr.write(trial.folder(), "");
    Program.Ended ended =
        Program.of(
                "curl",
                "-sS",
                "--noproxy",
                "*",
                "--cacert",
                trial.data().resolve("root.pem"),
                "--config",
                "-",
                "-H",
                "Content-Type: " + contentType,
                "-H",
                "Accept: application/pem-certificate-chain",
                "--data-binary",
                body,
                "-o",
                out,
                "-D",
                head,
                "-w",
                "%{http_code}",
                trial.https(0) + Api.CERTIFICATES + query)
            .reading(
                "header = \"Authorization: Bearer " + trial.read("enroll.token").strip() + "\"\n")
            .run()
            .ok();
    assertThat(ended.text()).as(new String(Csr.read(out), StandardCharsets.UTF_8)).isEqualTo("201");
    X509Certificate certificate = Answer.certificate(Csr.read(out));
    assertThat(new String(Csr.read(head), StandardCharsets.US_ASCII))
        .containsIgnoringCase("Location: /v1/certificates/" + serial(certificate));
    return out;
  }

  private static void judge(Csr csr, Path pem) {
    Trial trial = TRIAL.trial();
    Judges.verifyChain(trial, pem);
    assertThat(Judges.publicKey(pem)).isEqualTo(csr.publicKey());
    X509Certificate certificate = Answer.certificate(Csr.read(pem));
    X509Certificate issuer = Answer.certificate(Api.ascii(trial.read("chain.pem")));
    assertThat(certificate.getIssuerX500Principal()).isEqualTo(issuer.getSubjectX500Principal());
    assertThat(dnsNames(certificate)).containsExactly(csr.name());
    Instant notBefore = certificate.getNotBefore().toInstant();
    // RFC 5280 4.1.2.5: both ends belong to the period.
    assertThat(Duration.between(notBefore, certificate.getNotAfter().toInstant()).plusSeconds(1))
        .isEqualTo(LIFETIME);
    assertThat(notBefore).isBetween(Instant.now().minusSeconds(900), Instant.now());
  }

  private static List<String> dnsNames(X509Certificate certificate) {
    try {
      return certificate.getSubjectAlternativeNames().stream()
          .filter(entry -> entry.getFirst().equals(DNS_NAME))
          .map(entry -> entry.getLast().toString())
          .toList();
    } catch (java.security.cert.CertificateParsingException e) {
      throw new AssertionError(e);
    }
  }

  private static String serial(X509Certificate certificate) {
    return java.util.HexFormat.of().formatHex(certificate.getSerialNumber().toByteArray());
  }

  @Test
  void enroll_acceptHeaders_giveTheirForms() {
    Trial trial = TRIAL.trial();
    Csr csr = Csr.openssl(trial.folder(), Csr.KeyType.EC_P256, "forms.example.com");

    Answer json = trial.enroller().with("Accept", Api.JSON).enroll("tls-server", csr.pemBytes());
    Answer pem =
        trial
            .enroller()
            .with("Accept", "application/pem-certificate-chain")
            .enroll("tls-server", csr.pemBytes());
    Answer der =
        trial
            .enroller()
            .with("Accept", "application/pkix-cert")
            .enroll("tls-server", csr.pemBytes());

    json.is(201);
    assertThat(json.header("Content-Type")).startsWith(Api.JSON);
    assertThat(json.json().path("serial").asString()).isEqualTo(json.locationEnd());
    assertThat(json.json().path("profile").asString()).isEqualTo("tls-server");
    assertThat(json.json().path("issuer").asString()).isEqualTo("issuing");
    assertThat(Instant.parse(json.json().path("notAfter").asString()))
        .isEqualTo(json.certificate().getNotAfter().toInstant());
    assertThat(Instant.parse(json.json().path("notBefore").asString()))
        .isEqualTo(json.certificate().getNotBefore().toInstant());
    assertThat(json.json().path("chain").size()).isEqualTo(2);
    assertThat(
            String.join(
                "", json.json().path("chain").valueStream().map(n -> n.asString()).toList()))
        .isEqualToIgnoringWhitespace(trial.read("chain.pem"));
    pem.is(201);
    assertThat(pem.header("Content-Type")).startsWith("application/pem-certificate-chain");
    assertThat(pem.text().split("BEGIN CERTIFICATE", -1)).hasSize(3);
    der.is(201);
    assertThat(der.header("Content-Type")).startsWith("application/pkix-cert");
    assertThat(serial(Answer.certificate(der.body()))).isEqualTo(der.locationEnd());
  }

  @Test
  void get_issuedSerial_isTheSameCertificate() {
    Trial trial = TRIAL.trial();
    Csr csr = Csr.openssl(trial.folder(), Csr.KeyType.ED25519, "again.example.com");
    Answer issued = trial.enroller().enroll("device", csr.pemBytes()).is(201);
    String serial = issued.locationEnd();

    Answer read = trial.enroller().get(issued.header("Location")).is(200);
    Program.Ended got = trial.sluice("get", serial).run().ok();

    assertThat(read.certificate()).isEqualTo(issued.certificate());
    assertThat(Answer.certificate(got.bytes())).isEqualTo(issued.certificate());
  }

  @Test
  void up_finished_leavesPrivateTokens() {
    Trial trial = TRIAL.trial();
    for (String name : List.of("admin.token", "enroll.token")) {
      try {
        assertThat(Files.getPosixFilePermissions(trial.data().resolve(name)))
            .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
