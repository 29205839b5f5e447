package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What relying parties with foreign OCSP clients see. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class OcspIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** An OCSPResponse of nothing but its responseStatus (RFC 6960 4.2.1). */
  private static final byte[] UNAUTHORIZED = {0x30, 0x03, 0x0A, 0x01, 0x06};

  private static final String END = "-----END CERTIFICATE-----";

  @ParameterizedTest
  @ValueSource(strings = {"-sha1", "-sha256"})
  void openssl_freshCertificate_good(String hash) {
    Path certificate = enroll("tls-server");

    Program.Ended ended = openssl(hash, certificate);

    assertThat(ended.errors()).contains("Response verify OK");
    assertThat(ended.text()).contains(": good", "This Update:", "Next Update:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-sha1", "-sha256"})
  void openssl_revokedAfterItWasGood_revokedWithinSeconds(String hash) {
    Path certificate = enroll("tls-server");
    assertThat(openssl(hash, certificate).text()).contains(": good");

    LedgerRows.revoke(TRIAL.trial(), serial(certificate), 1);

    Duration ignored =
        Poll.until(
            "OCSP says revoked",
            Duration.ofSeconds(90),
            () -> openssl(hash, certificate).text().contains(": revoked"));
    assertThat(openssl(hash, certificate).text())
        .contains("Reason: keyCompromise", "Revocation Time:");
  }

  /** It sends a nonce, and puts up with a response without it. */
  @Test
  void gnutls_freshCertificate_goodAndVerified() {
    Program.Ended ended =
        Program.of(
                "ocsptool",
                "--ask=" + url(),
                "--load-issuer=" + issuer(),
                "--load-cert=" + enroll("tls-server"),
                "--load-trust=" + issuer())
            .run()
            .ok();

    assertThat(ended.text() + ended.errors())
        .contains("Certificate Status: good", "Verifying OCSP Response: Success.");
  }

  @Test
  void openssl_neverIssued_unknown() {
    Program.Ended ended =
        openssl(List.of("-sha1", "-no_nonce", "-serial", "0x01abcd" + "17".repeat(16)));

    assertThat(ended.text()).contains(": unknown");
    assertThat(ended.errors()).contains("Response verify OK");
  }

  @Test
  void openssl_otherIssuer_unauthorized() {
    Path other = TRIAL.trial().data().resolve("root.pem");

    Program.Ended ended =
        Program.of("openssl", "ocsp", "-issuer", other, "-cert", other, "-no_nonce", "-url", url())
            .run();

    assertThat(ended.text() + ended.errors()).contains("unauthorized (6)");
  }

  @Test
  void openssl_certificateWithoutRevocationInformation_unauthorized() {
    Program.Ended ended = openssl("-sha1", enroll("short-lived"));

    assertThat(ended.text() + ended.errors()).contains("unauthorized (6)");
  }

  @Test
  void openssl_nonce_ignoredByDefault() {
    Program.Ended ended =
        openssl(List.of("-sha1", "-nonce", "-cert", enroll("tls-server").toString()));

    assertThat(ended.errors()).contains("WARNING: no nonce in response", "Response verify OK");
    assertThat(ended.text()).contains(": good");
  }

  @Test
  void openssl_severalCertificates_oneResponse() {
    String[] certificates = {enroll("tls-server").toString(), enroll("device").toString()};

    Program.Ended ended =
        openssl(
            List.of("-sha256", "-no_nonce", "-cert", certificates[0], "-cert", certificates[1]));

    assertThat(ended.text()).contains(certificates[0] + ": good", certificates[1] + ": good");
  }

  @Test
  void certificate_namesTheResponderUnlessThereIsNoRevocation() {
    assertThat(access(enroll("tls-server"))).containsPattern("OCSP - URI:http://[^ ]+/ocsp\\s");
    assertThat(access(enroll("short-lived"))).doesNotContain("OCSP").contains("CA Issuers");
  }

  private static String access(Path certificate) {
    return Program.of(
            "openssl", "x509", "-in", certificate, "-noout", "-ext", "authorityInfoAccess")
        .run()
        .ok()
        .text();
  }

  /** RFC 5019 5, 6.2: the same bytes by either way, with what caches need. */
  @Test
  void get_everyWayToEscape_sameAnswerWithCachingHeaders() throws IOException {
    byte[] request = request(enroll("tls-server"));
    String base64 = Base64.getEncoder().encodeToString(request);
    Api plain = Api.plain(TRIAL.trial().plain(0));

    byte[] posted = post(request);

    for (String path :
        List.of(
            base64,
            base64.replace("/", "%2F").replace("+", "%2B").replace("=", "%3D"),
            base64.replace("/", "%2f"),
            "/" + base64)) {
      Answer answer = plain.get("/ocsp/" + path).is(200);
      assertThat(answer.body()).as(path).isEqualTo(posted);
      assertThat(answer.header("Content-Type")).isEqualTo("application/ocsp-response");
      assertThat(answer.header("Cache-Control"))
          .contains("max-age=", "public", "no-transform", "must-revalidate");
      assertThat(answer.header("ETag")).matches("\"[0-9a-f]{32}\"");
      assertThat(answer.header("Last-Modified")).endsWith("GMT");
      assertThat(answer.header("Expires")).endsWith("GMT");
    }
    assertThat(TRIAL.trial().enroller().anonymous().get("/ocsp/" + base64).is(200).body())
        .isEqualTo(posted);
    // Answers of one second, or of two nodes, may differ in what their dates do not show.
    plain.with("If-Modified-Since", "Fri, 31 Dec 2100 00:00:00 GMT").get("/ocsp/" + base64).is(200);
    String tag = plain.get("/ocsp/" + base64).header("ETag");
    plain.with("If-None-Match", tag).get("/ocsp/" + base64).is(304);
  }

  @Test
  void get_noRequest_malformedAndNothingKept() {
    // Base64 has no semicolon: such a path is not one of the plain port's.
    Api.plain(TRIAL.trial().plain(0)).get("/ocsp/a;b").is(404);
    for (String path : List.of("/ocsp/", "/ocsp/AAAA", "/ocsp/a,b")) {
      Answer answer = Api.plain(TRIAL.trial().plain(0)).get(path).is(200);

      assertThat(answer.body()).as(path).isEqualTo(new byte[] {0x30, 0x03, 0x0A, 0x01, 0x01});
      assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    }
  }

  /** RFC 9110 15.5.6: Allow is of the very path. */
  @Test
  void otherMethods_405WithTheMethodsOfThatPath() throws IOException {
    byte[] request = request(enroll("tls-server"));
    String path = "/ocsp/" + Base64.getEncoder().encodeToString(request).replace("/", "%2F");
    for (Api api : List.of(Api.plain(TRIAL.trial().plain(0)), TRIAL.trial().enroller())) {
      for (String method : List.of("GET", "HEAD", "PUT", "OPTIONS", "PATCH")) {
        assertThat(refused(api, method, "/ocsp")).as(method).isEqualTo("POST");
      }
      for (String method : List.of("POST", "PUT", "OPTIONS", "DELETE")) {
        assertThat(refused(api, method, path)).as(method).isEqualTo("GET, HEAD");
      }
      assertThat(refused(api, "PUT", "/ocsp/")).isEqualTo("GET, HEAD, POST");
      // Of a responder's URI that ends with a slash.
      assertThat(api.post("/ocsp/", "application/ocsp-request", request).is(200).body())
          .isEqualTo(post(request));
    }
  }

  private static String refused(Api api, String method, String path) {
    return api.send(method, path, HttpRequest.BodyPublishers.noBody()).is(405).header("Allow");
  }

  /** The example in the OpenAPI document, both ways: it is of another CA. */
  @Test
  void example_ofTheDocument_isARequest() {
    Api plain = Api.plain(TRIAL.trial().plain(0));
    String example =
        TRIAL
            .trial()
            .enroller()
            .get("/v3/api-docs")
            .is(200)
            .json()
            .at("/paths/~1ocsp~1{request}/get/parameters/0/example")
            .asString();
    byte[] request = Base64.getDecoder().decode(example);
    Path file = Csr.write(TRIAL.trial().folder(), "");

    Program.of("openssl", "base64", "-d", "-A", "-out", file).reading(example).run().ok();
    assertThat(Program.of("openssl", "ocsp", "-reqin", file, "-req_text").run().text())
        .contains("OCSP Request Data:", "Serial Number:");
    assertThat(plain.get("/ocsp/" + example).is(200).body()).isEqualTo(UNAUTHORIZED);
    assertThat(post(request)).isEqualTo(UNAUTHORIZED);
  }

  /** %2F is let through to OCSP alone. */
  @Test
  void get_escapedSlashElsewhere_stillRefused() {
    for (String path : List.of("/issuers%2Fissuing.cer", "/crl/a%2fb.crl", "/v1%2Fissuers")) {
      assertThat(TRIAL.trial().enroller().anonymous().get(path).status()).as(path).isEqualTo(400);
    }
  }

  /** Told where the responder is: certificates of this trial name a host that is nowhere. */
  @Test
  void jdk_pathValidationWithOcsp_validThenRevoked() throws Exception {
    Path file = enroll("tls-server");
    X509Certificate certificate = certificates(file).getFirst();
    validate(certificate);

    LedgerRows.revoke(TRIAL.trial(), serial(file), 4);

    Duration ignored =
        Poll.until(
            "the JDK finds it revoked", Duration.ofSeconds(90), () -> isRevoked(certificate));
  }

  private static boolean isRevoked(X509Certificate certificate) {
    try {
      validate(certificate);
      return false;
    } catch (CertPathValidatorException e) {
      return e.getReason() == CertPathValidatorException.BasicReason.REVOKED;
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void validate(X509Certificate certificate)
      throws GeneralSecurityException, IOException {
    List<X509Certificate> chain = certificates(TRIAL.trial().data().resolve("chain.pem"));
    CertPathValidator validator = CertPathValidator.getInstance("PKIX");
    PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
    checker.setOcspResponder(url());
    checker.setOptions(
        Set.of(
            PKIXRevocationChecker.Option.ONLY_END_ENTITY,
            PKIXRevocationChecker.Option.NO_FALLBACK));
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(chain.getLast(), null)));
    parameters.addCertPathChecker(checker);
    validator.validate(
        CertificateFactory.getInstance("X.509")
            .generateCertPath(List.of(certificate, chain.getFirst())),
        parameters);
  }

  private static List<X509Certificate> certificates(Path file)
      throws GeneralSecurityException, IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (var read :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      certificates.add((X509Certificate) read);
    }
    return certificates;
  }

  private static Program.Ended openssl(String hash, Path certificate) {
    return openssl(List.of(hash, "-no_nonce", "-cert", certificate.toString()));
  }

  private static Program.Ended openssl(List<String> question) {
    List<Object> words =
        new ArrayList<>(
            List.of(
                "openssl",
                "ocsp",
                "-issuer",
                issuer(),
                "-CAfile",
                TRIAL.trial().data().resolve("root.pem"),
                "-verify_other",
                issuer(),
                "-url",
                url()));
    words.addAll(question);
    return Program.of(words.toArray()).run();
  }

  private static byte[] request(Path certificate) throws IOException {
    Path file = Csr.write(TRIAL.trial().folder(), "");
    Program.of(
            "openssl",
            "ocsp",
            "-issuer",
            issuer(),
            "-cert",
            certificate,
            "-no_nonce",
            "-reqout",
            file)
        .run();
    return Files.readAllBytes(file);
  }

  private static byte[] post(byte[] request) {
    return Api.plain(TRIAL.trial().plain(0))
        .post("/ocsp", "application/ocsp-request", request)
        .is(200)
        .body();
  }

  private static URI url() {
    return URI.create(TRIAL.trial().plain(0) + "/ocsp");
  }

  /** The issuing CA's certificate alone. */
  private static Path issuer() {
    String chain = TRIAL.trial().read("chain.pem");
    return Csr.write(
        TRIAL.trial().folder(), chain.substring(0, chain.indexOf(END) + END.length()) + "\n");
  }

  private static Path enroll(String profile) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "ocsp.example.com");
    Answer answer = TRIAL.trial().enroller().enroll(profile, csr.pemBytes()).is(201);
    String pem = answer.json().path("certificate").asString();
    return Csr.write(
        TRIAL.trial().folder(), pem.substring(0, pem.indexOf(END) + END.length()) + "\n");
  }

  private static String serial(Path certificate) {
    return Program.of("openssl", "x509", "-in", certificate, "-noout", "-serial")
        .run()
        .ok()
        .text()
        .strip()
        .replace("serial=", "");
  }
}
