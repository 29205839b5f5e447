package org.sluiceca.api.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.SetupPlace.Ended;

/** What a certificate that is there says counts: answers that say otherwise are refused. */
@Timeout(120)
class SetupCertificateTest {

  @TempDir private Path folder;

  private SetupPlace place;

  @BeforeEach
  void prepare() {
    place = SetupPlace.in(folder);
  }

  private void assertRefused(String[] words, String... reasons) {
    Ended ended = place.run(words);

    assertThat(ended.errors()).contains(reasons);
    assertThat(ended.code()).isOne();
    assertThat(place.steps()).isEmpty();
    assertThat(place.nodeEnv()).doesNotExist();
  }

  @Test
  void run_signedForAnotherSubjectOrUrl_refused() {
    place.prepareUntil("root", place.words());

    assertRefused(
        place.words("--subject", "CN=Other Issuing CA"),
        "issuing.pem has the subject CN=Setup Issuing CA, O=Example, C=DE",
        "not CN=Other Issuing CA");
    assertRefused(
        place.words("--public-url", "http://other.example.com"),
        "certificates of this CA name http://pki.example.com",
        "never be changed");

    Ended ended = place.run(place.words());
    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(ended.operator().shown())
        .contains("certificate of CN=Setup Issuing CA, O=Example, C=DE, not installed");
  }

  @Test
  void run_installedForAnotherSubject_refused() {
    place.prepareUntil("install", place.words());

    assertRefused(
        place.words("--subject", "CN=Other Issuing CA"),
        "the installed certificate has the subject CN=Setup Issuing CA",
        "not CN=Other Issuing CA");
    Ended ended = place.run(place.words("--subject", ""));
    assertThat(ended.code()).isZero();
    assertThat(ended.operator().shown())
        .contains("the issuing CA CN=Setup Issuing CA, O=Example, C=DE, whose key the token has");
  }

  /** A CSR for another subject is no request for this certificate. */
  @Test
  void run_otherSubjectBeforeTheSignature_requestsIt() {
    place.prepareUntil("issuing-key", place.words("--subject", "CN=Mistyped CA"));

    Ended ended = place.run(place.words());

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(place.steps()).startsWith("issuing-key", "root");
    assertThat(place.run().operator().shown()).contains("the issuing CA CN=Setup Issuing CA");
  }

  @Test
  void run_externalRoot_comparesSubjectAndIssuedCertificates() throws IOException {
    SetupPlace authority = SetupPlace.in(folder);
    runExternal(authority);
    String[] brought = {
      "--certificate", folder.resolve("signed.pem").toString(),
      "--root", authority.out().resolve("root.pem").toString()
    };
    assertRefused(
        SetupPlace.concat(brought, "--subject", "CN=Other Issuing CA"),
        "signed.pem has the subject CN=Setup Issuing CA",
        "not CN=Other Issuing CA");
    place.prepareUntil("install", brought);
    issue("http://pki.example.com");
    assertThat(place.run().code()).isZero();
    place.steps().clear();

    Path other = Files.createDirectory(folder.resolve("node-8"));
    String[] second =
        place.words(
            "--config-dir", other.toString(),
            "--node-name", "node-8",
            "--public-url", "http://other.example.com",
            "--subject", "",
            "--root-token-label", "",
            "--root-pin-file", "",
            "--root-subject", "");
    Ended refused = place.run(second);

    assertThat(refused.errors()).contains("certificates of this CA name http://pki.example.com");
    assertThat(refused.code()).isOne();
    assertThat(SetupPlace.filesOf(other)).isEmpty();
  }

  /** As after nodes that were started with different ones. */
  @Test
  void run_certificatesWithTwoUrls_takesEitherAndNoOther() throws IOException {
    place.prepareUntil("install", place.words());
    issue("http://second.example.com");
    assertThat(place.run(place.words()).code()).isZero();
    String[] both = {
      "certificates of this CA name http://pki.example.com and http://second.example.com"
    };

    Ended other = place.run("--public-url", "http://third.example.com", "--replace");
    assertThat(other.errors()).contains(both).contains("give --public-url one of them");
    assertThat(other.code()).isOne();

    Ended second = place.run("--public-url", "http://second.example.com", "--replace");
    assertThat(second.errors()).isEmpty();
    assertThat(second.operator().shown()).contains(both);
    assertThat(Files.readString(place.nodeEnv()))
        .contains("SLUICE_PUBLIC_URL=http://second.example.com\n");

    Files.delete(place.nodeEnv());
    Ended missing = place.run(place.words("--public-url", ""));
    assertThat(missing.errors()).contains(both).contains("give one of them by --public-url");
    assertThat(place.nodeEnv()).doesNotExist();

    ScriptedOperator operator =
        ScriptedOperator.present()
            .answers("URL in every certificate", "http://pki.example.com")
            .answers("Go on?", "yes")
            .answers("", "", "", "");
    Ended asked = place.run(operator, _ -> {}, place.words("--public-url", ""));
    assertThat(asked.errors()).isEmpty();
    assertThat(operator.asked())
        .contains("URL in every certificate, for CRLs and OCSP; it can never be changed");
    assertThat(Files.readString(place.nodeEnv()))
        .contains("SLUICE_PUBLIC_URL=http://pki.example.com\n");
  }

  private void runExternal(SetupPlace authority) {
    assertThat(authority.run(authority.words()).code()).isZero();
    Ended waiting = place.run(place.externalWords());
    assertThat(waiting.code()).isEqualTo(4);
    authority.sign(place.out().resolve("issuing.csr"), folder.resolve("signed.pem"));
    place.steps().clear();
  }

  /** A certificate that names the CA's URLs, as a node's all do. */
  private void issue(String publicUrl) throws IOException {
    Path profiles = Files.createDirectories(folder.resolve("profiles"));
    Files.writeString(
        profiles.resolve("ocsp-responder.yaml"),
        """
        name: ocsp-responder
        description: One whose revocation is stated
        use: ceremony
        issuer: issuing
        validity: {duration: P30D, clampToIssuer: true}
        subject: {required: [common_name]}
        key: {algorithms: [ec_p256]}
        extensions:
          keyUsage: [digital_signature]
          extendedKeyUsage: [ocsp_signing]
          ca: false
          revocation: crl
        """);
    place.step(
        place.issuing(),
        "ocsp-responder",
        "--issuer=issuing",
        "--public-url=" + publicUrl,
        "--profiles=" + profiles);
  }
}
