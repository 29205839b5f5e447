package org.sluiceca.api.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.cli.setup.SetupPlace.Ended;
import org.sluiceca.hsm.testkit.SoftHsm;

/** Setup by questions, with an operator who makes mistakes and leaves. */
@Timeout(120)
class SetupDialogueTest {

  private static final String TYPED = "";

  @TempDir private Path folder;

  private SetupPlace place;

  @BeforeEach
  void prepare() {
    place = SetupPlace.in(folder);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private ScriptedOperator operator() {
    return ScriptedOperator.present()
        .answers("Database,", place.service().url())
        .answers("Role that nodes", TYPED)
        .answers("Role that owns", TYPED)
        .answers("Its password: its file", TYPED, place.owner().passwordFile().toString())
        .answers("Its password (not shown)", text(place.service().passwordFile()))
        .answers("PKCS#11 module (.so)", "usr/lib", SoftHsm.library().toString(), TYPED)
        .answers("Label of the token", "no such", place.issuing().label())
        .answers("Its user PIN: its file", TYPED, TYPED, TYPED)
        .answers(
            "Its user PIN (not shown)",
            text(place.issuing().pin().path()),
            text(place.issuing().pin().path()),
            text(place.root().pin().path()))
        .answers("Root: own", TYPED)
        .answers("Subject of the issuing CA", "CN=Asked Issuing CA")
        .answers("Algorithm of the issuing key", TYPED)
        .answers("PKCS#11 module of the root", TYPED)
        .answers("Label of the root", place.root().label())
        .answers("Subject of the root", "CN=Asked Root CA")
        .answers("Algorithm of the root", TYPED)
        .answers("Days for which", TYPED)
        .answers("URL in every certificate", "http://pki.example.com")
        .answers("Subject of the OCSP", TYPED)
        .answers("URL at which", "http://ca.example.com", "https://ca.example.com")
        .answers("Name of this node", TYPED)
        .answers("Address on which", TYPED)
        .answers("Address of health", TYPED)
        .answers("Nodes that share", TYPED)
        .answers("Go on?", "yes");
  }

  @Test
  void run_operatorWithMistakes_isAskedAgainAndReachesTheEnd() {
    ScriptedOperator operator = operator();

    Ended ended = place.run(operator, step -> {});

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(operator.shown())
        .contains(
            "--module is an absolute path",
            "no token labelled \"no such\"",
            "--service-url is https://host")
        .doesNotContain(text(place.issuing().pin().path()));
    assertThat(place.config().resolve("issuing.pin"))
        .hasContent(text(place.issuing().pin().path()) + "\n");
    assertThat(place.nodeEnv()).exists();
    assertThat(place.config().resolve("setup.draft")).doesNotExist();
  }

  @Test
  void run_operatorLeaves_answersAreKeptWithoutSecretsAndNotAskedAgain() {
    // The label of the issuing token is the last that is checked.
    ScriptedOperator leaving = operator().leavingAfter(14);

    Ended stopped = place.run(leaving, step -> {});

    assertThat(stopped.code()).isEqualTo(5);
    assertThat(stopped.errors()).contains("answers so far are kept");
    assertThat(place.files()).containsExactly("setup.draft");
    Path draft = place.config().resolve("setup.draft");
    assertThat(text(draft))
        .contains("database-url=" + place.service().url())
        .doesNotContain(text(place.issuing().pin().path()))
        .doesNotContain("password-file=/dev/shm");
    assertThat(place.steps()).isEmpty();

    ScriptedOperator back = operator();
    Ended ended = place.run(back, step -> {});

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(back.asked()).noneMatch(prompt -> prompt.startsWith("Database,"));
    assertThat(back.shown()).contains("going on with the answers in " + draft);
  }

  @Test
  void run_operatorChangesAnAnswer_theLastOneCounts() {
    ScriptedOperator operator =
        ScriptedOperator.present()
            .answers("Go on?", "perhaps", "change", "yes")
            .answers("Name of this node", "node-5")
            .answers("Its ", files())
            .answers("", blanks());

    Ended ended = place.run(operator, step -> {}, place.words());

    assertThat(ended.errors()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(text(place.nodeEnv())).contains("SLUICE_NODE_NAME=node-5");
  }

  private String[] files() {
    return new String[] {
      place.service().passwordFile().toString(),
      place.owner().passwordFile().toString(),
      place.issuing().pin().path().toString(),
      place.root().pin().path().toString()
    };
  }

  private static String[] blanks() {
    String[] blanks = new String[40];
    Arrays.fill(blanks, TYPED);
    return blanks;
  }

  @Test
  void run_operatorSaysNo_nothingIsChanged() {
    ScriptedOperator operator =
        ScriptedOperator.present().answers("Go on?", "no").answers("", blanks());

    Ended ended = place.run(operator, step -> {}, place.words());

    assertThat(ended.code()).isEqualTo(5);
    assertThat(place.steps()).isEmpty();
    assertThat(place.files()).containsExactly("setup.draft");
  }

  @Test
  void run_wrongPinTyped_endsTheRun() {
    ScriptedOperator operator =
        ScriptedOperator.present()
            .answers("Its user PIN: its file", TYPED)
            .answers("Its user PIN (not shown)", "11223344");

    Ended ended = place.run(operator, step -> {}, place.words("--pin-file", ""));

    assertThat(ended.code()).isOne();
    assertThat(ended.errors()).contains("refuses the PIN", "One login was tried");
  }
}
