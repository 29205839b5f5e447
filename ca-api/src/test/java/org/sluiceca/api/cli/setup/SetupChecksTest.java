package org.sluiceca.api.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.SetupPlace.Ended;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.hsm.testkit.SoftHsm;

/** Each check that fails says what to do, and leaves no file. */
@Timeout(120)
class SetupChecksTest {

  private static final int FAILED = 1;
  private static final int USAGE = 2;

  @TempDir private Path folder;

  private SetupPlace place;

  @BeforeEach
  void prepare() {
    place = SetupPlace.in(folder);
  }

  private void assertRefused(int code, String option, String answer, String... reasons) {
    assertRefused(code, new String[] {option, answer}, reasons);
  }

  private void assertRefused(int code, String[] changes, String... reasons) {
    Ended ended = place.run(place.words(changes));

    assertThat(ended.errors()).contains(reasons);
    assertThat(ended.errors().lines()).hasSize(1);
    assertThat(ended.code()).isEqualTo(code);
    assertThat(place.steps()).isEmpty();
    assertThat(place.files()).isEmpty();
  }

  @Test
  void run_answerThatCannotBeOne_namesTheOption() {
    assertRefused(USAGE, "--database-url", "postgresql://db/x", "--database-url begins with jdbc:");
    assertRefused(USAGE, "--database-url", "jdbc:postgresql://db/x?password=y", "into a file");
    assertRefused(USAGE, "--database-user", "x".repeat(64), "has 64 characters, allowed 63");
    assertRefused(USAGE, "--token-label", "a\u0007b", "--token-label has a control character");
    assertRefused(USAGE, "--service-url", "http://ca.example.com", "--service-url is https://");
    assertRefused(USAGE, "--public-url", "ftp://pki.example.com", "--public-url is http://host");
    assertRefused(USAGE, "--public-url", "http://pki.example.com/\"x", "--public-url is http://");
    assertRefused(USAGE, "--public-url", "http://pki.example.com:80800", "--public-url is http://");
    assertRefused(USAGE, "--public-url", "http://pki.example.com:", "--public-url is http://");
    assertRefused(USAGE, "--subject", "Example", "--subject is CN=");
    assertRefused(USAGE, "--key-algorithm", "rsa-1024", "--key-algorithm is one of rsa-2048");
    assertRefused(USAGE, "--node-name", "Node 1", "--node-name is of a-z");
    assertRefused(USAGE, "--address", "ca.example.com", "--address is an IP address");
    assertRefused(USAGE, "--root-ca", "mine", "--root-ca is own or external");
    assertRefused(USAGE, "--root-crl-days", "0", "--root-crl-days is a number from 1 to 3650");
    assertRefused(USAGE, "--nodes", "65", "--nodes is a number from 1 to 64");
  }

  @Test
  void run_answerMissing_namesTheOption() {
    for (String option :
        new String[] {
          "--database-url",
          "--database-password-file",
          "--module",
          "--token-label",
          "--pin-file",
          "--subject",
          "--root-token-label",
          "--root-pin-file",
          "--root-subject",
          "--public-url",
          "--service-url"
        }) {
      assertRefused(USAGE, option, "", option + " is missing: ");
    }
    assertRefused(
        USAGE, "--database-migration-user", "", "--database-migration-user is missing: the schema");
  }

  @Test
  void run_databaseThatDoesNotFit_saysWhatToDo() {
    String url = place.service().url();
    assertRefused(
        FAILED,
        "--database-url",
        "jdbc:postgresql://127.0.0.1:1/sluice",
        "does not answer",
        "check host and port");
    assertRefused(
        FAILED,
        "--database-url",
        url.replaceFirst("sluice_test_", "missing_"),
        "there is no such database",
        "CREATE DATABASE");
    Address reading = PostgresForTests.get().reading(place.owner());
    assertRefused(
        FAILED,
        new String[] {
          "--database-migration-user", reading.user(),
          "--database-migration-password-file", reading.passwordFile().toString()
        },
        "role sluice_reading does not own this database");
  }

  @Test
  void run_tokenThatDoesNotFit_saysWhatToDo() throws IOException {
    assertRefused(FAILED, "--module", "/usr/lib/none.so", "no PKCS#11 module at /usr/lib/none.so");
    Path text = Files.writeString(folder.resolve("text.so"), "no library");
    assertRefused(FAILED, "--module", text.toString(), text + " cannot be loaded");
    assertRefused(
        FAILED,
        "--token-label",
        "none",
        "no token labelled \"none\"",
        "tokens there: ",
        place.issuing().label());
    assertRefused(FAILED, "--root-token-label", "none", "no token labelled \"none\"");
    assertRefused(
        FAILED,
        "--root-token-label",
        place.issuing().label(),
        "must not be in the token of the issuing key");
    assertRefused(USAGE, "--pin-file", folder.resolve("none").toString(), "cannot be read");
    Path empty = Files.writeString(folder.resolve("empty"), "");
    assertRefused(USAGE, "--pin-file", empty.toString(), "is empty, or");
  }

  /** Another path to the module is no other token. */
  @Test
  void run_rootInTheIssuingTokenByALink_refusedBeforeItsPinIsTried() throws IOException {
    String link = Files.createSymbolicLink(folder.resolve("link.so"), SoftHsm.library()).toString();
    String copy = Files.copy(SoftHsm.library(), folder.resolve("copy.so")).toString();
    String wrong = SoftHsm.pinFile("setup-root-wrong", "80808080").path().toString();
    for (String module : List.of(link, copy)) {
      assertRefused(
          FAILED,
          new String[] {
            "--root-module", module,
            "--root-token-label", place.issuing().label(),
            "--root-pin-file", wrong
          },
          "must not be in the token of the issuing key");
    }

    Ended apart = place.run(SetupPlace.concat(place.words("--root-module", link), "--check"));
    assertThat(apart.errors()).isEmpty();
    assertThat(apart.code()).isZero();
  }

  @Test
  void run_wrongPin_triedOnce() {
    Path wrong = SoftHsm.pinFile("setup-wrong", "90909090").path();

    assertRefused(FAILED, "--pin-file", wrong.toString(), "refuses the PIN", "One login was tried");

    // A second login with it would say so in these words.
    assertRefused(FAILED, "--pin-file", wrong.toString(), "has refused this PIN before");
  }

  @Test
  void run_folderThatIsNotThere_refused() {
    Ended ended = place.run(place.words("--config-dir", folder.resolve("none").toString()));

    assertThat(ended.code()).isEqualTo(FAILED);
    assertThat(ended.errors()).contains("is no folder that can be written", "--config-dir");
  }

  @Test
  void run_failureWithEscapes_doesNotChangeTheScreen() {
    String name = folder.resolve("a\u001b[2J\nb").toString();

    Ended ended = place.run(place.words("--config-dir", name));

    assertThat(ended.errors().lines()).hasSize(1);
    assertThat(ended.errors()).contains("a?[2J?b is no folder");
  }

  @Test
  void run_stepThatFails_saysWhichAndWritesNoConfiguration() throws IOException {
    // The step cannot replace a folder by a file.
    Files.createDirectories(place.out().resolve("admin.token").resolve("x"));

    Ended ended = place.run(place.words());

    assertThat(ended.code()).isEqualTo(FAILED);
    assertThat(ended.errors()).contains("step credentials failed: ", "it goes on here");
    assertThat(place.files()).doesNotContain("node.env", "issuing.pin").contains("setup.draft");
  }
}
