package org.sluiceca.api.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.SetupPlace.Ended;

/** Setup by options on a real PostgreSQL and real tokens. */
@Timeout(300)
class SetupTest {

  private static final List<String> ALL_STEPS =
      List.of(
          "migrate",
          "issuing-key",
          "root",
          "install",
          "crl",
          "ocsp-responder",
          "audit-key",
          "credentials");

  private static final List<String> ALL_FILES =
      List.of(
          "ceremony/admin.token",
          "ceremony/audit.pem",
          "ceremony/chain.pem",
          "ceremony/enroll.token",
          "ceremony/issuing.csr",
          "ceremony/issuing.pem",
          "ceremony/root.crl",
          "ceremony/root.pem",
          "issuing.pin",
          "node.env",
          "service.password");

  @TempDir private Path folder;

  private SetupPlace place;

  @BeforeEach
  void prepare() {
    place = SetupPlace.in(folder);
  }

  @Test
  void run_allOptions_makesEverythingOnce() throws IOException {
    Ended first = place.run(place.words());

    assertThat(first.errors()).isEmpty();
    assertThat(first.code()).isZero();
    assertThat(place.steps()).isEqualTo(ALL_STEPS);
    assertThat(place.files()).isEqualTo(ALL_FILES);
    assertOnce();
    assertThat(mode(place.nodeEnv())).isEqualTo("rw-r-----");
    for (String secret : List.of("issuing.pin", "service.password", "ceremony/admin.token")) {
      assertThat(mode(place.config().resolve(secret))).isEqualTo("rw-------");
    }
    assertThat(Files.readAllLines(place.nodeEnv()))
        .contains(
            "SLUICE_NODE_NAME=node-7",
            "SLUICE_PUBLIC_URL=http://pki.example.com",
            "SLUICE_SERVICE_URL=https://ca.example.com:8443",
            "SLUICE_HSM_TOKEN_LABEL=" + place.issuing().label(),
            "SERVER_ADDRESS=127.0.0.1");
    assertThat(Files.readAllLines(place.config().resolve("issuing.pin")))
        .isEqualTo(Files.readAllLines(place.issuing().pin().path()));
    assertThat(first.operator().shown()).contains("admin.token, mode 0600, is good until ");

    Ended second = place.run();

    assertThat(second.code()).isZero();
    assertThat(place.steps()).isEqualTo(ALL_STEPS);
    assertThat(second.operator().shown())
        .contains("unchanged: " + place.nodeEnv(), "whose key the token has");
  }

  /** As a kill between two steps leaves it: what ran is durable, what follows never begins. */
  @Test
  void run_stoppedAfterEachStep_goesOnWithoutRepeating() {
    for (int stop = 0; stop < ALL_STEPS.size(); stop++) {
      place.runUntil(_ -> true, place.words());
      assertThat(place.nodeEnv()).doesNotExist();
      assertThat(place.config().resolve("issuing.pin")).doesNotExist();
    }

    Ended last = place.run(place.words());

    assertThat(last.errors()).isEmpty();
    assertThat(last.code()).isZero();
    assertThat(place.steps()).isEqualTo(ALL_STEPS);
    assertThat(place.files()).isEqualTo(ALL_FILES);
    assertOnce();
  }

  /** The check above would notice a second certificate. */
  @Test
  void assertOnce_plantedSecondSignatureOfTheRoot_fails() throws IOException {
    place.runUntil("root"::equals, place.words());
    Files.delete(place.out().resolve("issuing.pem"));

    assertThat(place.run(place.words()).code()).isZero();

    assertThatThrownBy(this::assertOnce).isInstanceOf(AssertionError.class);
  }

  /** Two issuers, and a certificate for each of them and for the responder. */
  private void assertOnce() {
    assertThat(place.count("issuer")).isEqualTo(2);
    assertThat(place.count("intent")).isEqualTo(3);
    assertThat(place.count("ocsp_responder")).isEqualTo(1);
    assertThat(place.count("audit_key")).isEqualTo(1);
    assertThat(place.count("credential")).isEqualTo(2);
    assertThat(place.count("crl")).isEqualTo(1);
  }

  @Test
  void run_secondNode_needsNeitherOwnerNorRoot() throws IOException {
    assertThat(place.run(place.words()).code()).isZero();
    Path other = Files.createDirectory(folder.resolve("node-8"));
    Files.writeString(other.resolve("other"), "x");
    place.steps().clear();

    Ended ended =
        place.run(
            place.words(
                "--config-dir", other.toString(),
                "--node-name", "node-8",
                "--database-migration-user", "",
                "--database-migration-password-file", "",
                "--subject", "",
                "--root-token-label", "",
                "--root-pin-file", "",
                "--root-subject", ""));

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    // Auditors' half of the key, which this machine lacked: the same key.
    assertThat(place.steps()).isEqualTo(List.of("audit-key"));
    assertThat(SetupPlace.filesOf(other))
        .contains("node.env", "issuing.pin", "ceremony/root.pem", "ceremony/chain.pem")
        .doesNotContain("ceremony/admin.token");
    assertThat(ended.operator().shown()).contains("--new-credentials");
    assertOnce();
  }

  @Test
  void run_otherSetting_needsReplace() throws IOException {
    assertThat(place.run(place.words()).code()).isZero();
    Files.writeString(
        place.nodeEnv(), Files.readString(place.nodeEnv()) + "# ours\nSLUICE_HTTP_PORT=80\n");

    Ended refused = place.run("--node-name", "node-9");
    assertThat(refused.code()).isOne();
    assertThat(refused.errors()).contains("SLUICE_NODE_NAME is node-7, not node-9", "--replace");
    assertThat(Files.readString(place.nodeEnv())).contains("SLUICE_NODE_NAME=node-7");

    assertThat(place.run("--node-name", "node-9", "--replace").code()).isZero();
    assertThat(Files.readString(place.nodeEnv()))
        .contains("SLUICE_NODE_NAME=node-9\n", "# ours\nSLUICE_HTTP_PORT=80\n")
        .doesNotContain("node-7");
  }

  @Test
  void run_otherPublicUrl_refusedForGood() {
    assertThat(place.run(place.words()).code()).isZero();

    Ended refused = place.run("--public-url", "http://other.example.com", "--replace");

    assertThat(refused.code()).isOne();
    assertThat(refused.errors())
        .contains("certificates of this CA name http://pki.example.com", "never be changed");
  }

  @Test
  void run_tokenWithoutOrWithAnotherKey_refused() throws IOException {
    assertThat(place.run(place.words()).code()).isZero();
    SetupPlace other = SetupPlace.in(folder);
    String[] otherToken =
        place.words(
            "--token-label",
            other.issuing().label(),
            "--config-dir",
            Files.createDirectory(folder.resolve("another")).toString());

    Ended without = place.run(otherToken);
    assertThat(other.run(other.words()).code()).isZero();
    Ended another = place.run(otherToken);

    assertThat(without.code()).isOne();
    assertThat(without.errors())
        .contains("has no key of this name", "made in token \"" + place.issuing().label());
    assertThat(another.code()).isOne();
    assertThat(another.errors()).contains("is not the one of the installed certificate");
    assertThat(SetupPlace.filesOf(folder.resolve("another"))).isEmpty();
  }

  @Test
  void run_check_saysWhatIsMissingAndChangesNothing() {
    Ended ended =
        place.run(
            ScriptedOperator.absent(),
            step -> {
              throw new AssertionError(step);
            },
            SetupPlace.concat(place.words(), "--check"));

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(ended.operator().shown())
        .contains("  issuing-key: make the issuing key", "nothing was changed");
    assertThat(place.files()).isEmpty();
  }

  /** The other CA is the root of another place, by the ceremony's own step. */
  @Test
  void run_externalRoot_waitsForItsCertificateAndInstallsNoOther() throws IOException {
    SetupPlace authority = SetupPlace.in(folder);
    assertThat(authority.run(authority.words()).code()).isZero();
    String[] external = place.externalWords();

    Ended waiting = place.run(external);
    assertThat(waiting.errors()).contains("issuing.csr", "--certificate FILE --root FILE");
    assertThat(waiting.code()).isEqualTo(4);
    assertThat(place.steps()).isEqualTo(List.of("migrate", "issuing-key"));
    assertThat(place.files()).isEqualTo(List.of("ceremony/issuing.csr", "setup.draft"));
    byte[] csr = Files.readAllBytes(place.out().resolve("issuing.csr"));

    Ended foreign =
        place.run(
            "--certificate", authority.out().resolve("issuing.pem").toString(),
            "--root", authority.out().resolve("root.pem").toString());
    assertThat(foreign.code()).isOne();
    assertThat(foreign.errors()).contains("is not for the key in the token");
    assertThat(place.nodeEnv()).doesNotExist();

    assertThat(place.run(external).code()).isEqualTo(4);
    assertThat(place.steps()).hasSize(2);
    assertThat(place.out().resolve("issuing.csr")).hasBinaryContent(csr);

    authority.sign(place.out().resolve("issuing.csr"), folder.resolve("signed.pem"));
    Ended done =
        place.run(
            "--certificate", folder.resolve("signed.pem").toString(),
            "--root", authority.out().resolve("root.pem").toString());
    assertThat(done.errors()).isEmpty();
    assertThat(done.code()).isZero();
    assertThat(place.nodeEnv()).exists();
    assertThat(place.config().resolve("setup.draft")).doesNotExist();
    assertThat(place.count("issuer")).isEqualTo(1);
    assertThat(place.run().code()).isZero();
    assertThat(Files.readString(place.out().resolve("root.pem")))
        .isEqualTo(Files.readString(authority.out().resolve("root.pem")));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
