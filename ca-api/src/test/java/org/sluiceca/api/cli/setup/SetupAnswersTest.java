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

/** Answers of another run, which were kept or which were written by hand. */
@Timeout(120)
class SetupAnswersTest {

  @TempDir private Path folder;

  private SetupPlace place;

  @BeforeEach
  void prepare() {
    place = SetupPlace.in(folder);
  }

  @Test
  void run_otherAlgorithmThanTheKeyThatIsThere_refused() {
    place.prepareUntil("issuing-key", place.words());
    Ended issuing = place.run("--key-algorithm", "rsa-2048");
    assertThat(issuing.errors()).contains("--key-algorithm is rsa-2048", "is there is ec-p256");
    assertThat(issuing.code()).isOne();

    place.prepareUntil("root");
    Ended root = place.run("--root-key-algorithm", "ec-p521");
    assertThat(root.errors()).contains("--root-key-algorithm is ec-p521", "is there is ec-p384");
    assertThat(root.code()).isOne();

    assertThat(place.steps()).isEmpty();
    assertThat(place.run().code()).isZero();
  }

  @Test
  void run_slashAtTheEndOfTheUrls_doesNotCount() throws IOException {
    Ended slash =
        place.run(
            place.words(
                "--public-url", "http://pki.example.com/",
                "--service-url", "https://ca.example.com:8443/"));
    assertThat(slash.errors()).isEmpty();
    assertThat(Files.readString(place.nodeEnv()))
        .contains("http://pki.example.com\n", "https://ca.example.com:8443\n");
    String byHand =
        Files.readString(place.nodeEnv())
            .replace("http://pki.example.com\n", "http://pki.example.com/\n");
    Files.writeString(place.nodeEnv(), byHand);

    Ended ended = place.run("--public-url", "http://pki.example.com");

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(place.nodeEnv()).hasContent(byHand);
  }

  @Test
  void run_nodeEnvWithTokensFile_refusedBeforeAnythingIsMade() throws IOException {
    String byHand = "SLUICE_HSM_TOKENS_FILE=/etc/sluice/tokens.yaml\n";
    Files.writeString(place.nodeEnv(), byHand);

    Ended ended = place.run(SetupPlace.concat(place.words(), "--replace"));

    assertThat(ended.errors()).contains("SLUICE_HSM_TOKENS_FILE=/etc/sluice/tokens.yaml");
    assertThat(ended.code()).isOne();
    assertThat(place.steps()).isEmpty();
    assertThat(place.nodeEnv()).hasContent(byHand);
  }

  @Test
  void run_ownerIsTheServiceRole_meansNoOther() {
    Ended ended =
        place.run(
            place.words(
                "--database-user", place.owner().user(),
                "--database-password-file", place.owner().passwordFile().toString(),
                "--database-migration-user", place.owner().user(),
                "--database-migration-password-file", ""));

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(ended.operator().shown()).contains("owns the tables and serves as well");
  }

  @Test
  void run_draftThatMayBeAnotherUsers_refusedBeforeItIsUsed() throws IOException {
    Path elsewhere = Files.writeString(folder.resolve("planted"), "module=/tmp/planted.so\n");
    Files.createSymbolicLink(place.config().resolve("setup.draft"), elsewhere);

    Ended ended = place.run(place.words("--module", ""));

    assertThat(ended.errors()).contains("setup.draft is no file of its own", "remove it");
    assertThat(ended.code()).isOne();
    assertThat(place.steps()).isEmpty();
  }

  private void assertContradicted(String line, String[] words, String reason) throws IOException {
    Files.writeString(place.nodeEnv(), line + "\n");

    Ended ended = place.run(words);

    assertThat(ended.errors()).contains(reason, "--replace changes it");
    assertThat(ended.errors().lines()).hasSize(1);
    assertThat(ended.code()).isOne();
    assertThat(place.steps()).isEmpty();
    assertThat(place.nodeEnv()).hasContent(line);
  }

  @Test
  void run_nodeEnvByHandWithOtherValues_refusedAndUnchanged() throws IOException {
    String label = place.issuing().label();
    String url = place.service().url();

    assertContradicted(
        "SLUICE_DATABASE_URL=jdbc:postgresql://db.example.com/other",
        place.words(),
        "SLUICE_DATABASE_URL is jdbc:postgresql://db.example.com/other, not " + url);
    assertContradicted(
        " SLUICE_HSM_TOKEN_LABEL = \"other\"",
        place.words(),
        "SLUICE_HSM_TOKEN_LABEL is other, not " + label);
    assertContradicted(
        "SLUICE_SERVICE_URL=https://other.example.com",
        place.words(),
        "SLUICE_SERVICE_URL is https://other.example.com, not https://ca.example.com:8443");
    assertContradicted(
        "SLUICE_PUBLIC_URL=http://other.example.com",
        place.words(),
        "SLUICE_PUBLIC_URL is http://other.example.com, not http://pki.example.com");
  }

  /** Neither database nor token is asked: the PIN is for the one that node.env names. */
  @Test
  void run_nodeEnvByHandWithOtherToken_refusedBeforeAnyIsOpened() throws IOException {
    assertContradicted(
        "SLUICE_DATABASE_URL=" + place.service().url(),
        place.words("--database-url", "jdbc:postgresql://127.0.0.1:1/sluice"),
        "not jdbc:postgresql://127.0.0.1:1/sluice");
    assertContradicted(
        "SLUICE_HSM_TOKEN_LABEL=" + place.issuing().label(),
        place.words("--token-label", "none"),
        "SLUICE_HSM_TOKEN_LABEL is " + place.issuing().label() + ", not none");
  }

  @Test
  void run_nodeEnvByHandWithoutOtherAnswers_isTakenAndShown() throws IOException {
    Files.writeString(
        place.nodeEnv(),
        "SLUICE_HSM_TOKEN_LABEL=" + place.issuing().label() + "\nSLUICE_NODE_NAME=node-3\n");

    Ended taken =
        place.run(
            SetupPlace.concat(place.words("--token-label", "", "--node-name", ""), "--check"));
    assertThat(taken.errors()).isEmpty();
    assertThat(taken.operator().shown())
        .contains("SLUICE_HSM_TOKEN_LABEL=" + place.issuing().label(), "SLUICE_NODE_NAME=node-3");

    Ended replaced = place.run(SetupPlace.concat(place.words(), "--check", "--replace"));
    assertThat(replaced.errors()).isEmpty();
    assertThat(replaced.operator().shown()).contains("SLUICE_NODE_NAME=node-7");
  }
}
