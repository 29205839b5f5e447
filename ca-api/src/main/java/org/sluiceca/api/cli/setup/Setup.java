package org.sluiceca.api.cli.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.setup.Findings.Credentials;
import org.sluiceca.api.cli.setup.Steps.Step;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Dialogue;
import org.sluiceca.api.cli.setup.answer.NodeEnv;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.answer.SetupException.Kind;
import org.sluiceca.api.cli.setup.issuer.KnownIssuers;
import org.sluiceca.api.cli.setup.issuer.RootState;
import org.sluiceca.api.cli.setup.question.Question;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;

/**
 * One run: answers and checks, then the ceremony's steps that are missing, then the node's files.
 * Nothing of a node's configuration is written before all else is done.
 */
final class Setup {

  /**
   * What the command line says next to the answers.
   *
   * @param isCheck whether the run ends after the checks
   * @param isReplaced whether settings and secrets that are there may change
   * @param isConfirmed whether the dialogue asks before the first change
   * @param isCalibrated whether the token is measured
   */
  record Switches(boolean isCheck, boolean isReplaced, boolean isConfirmed, boolean isCalibrated) {}

  /** Several tokens, which exclude the one that setup writes. */
  private static final String TOKENS_FILE = "SLUICE_HSM_TOKENS_FILE";

  /** What --replace may change; of the public URL the certificates decide first. */
  private static final Set<Question> CHANGEABLE =
      EnumSet.complementOf(EnumSet.of(Question.PUBLIC_URL));

  private final Dialogue dialogue;
  private final Answers answers;
  private final Interview interview;
  private final Places places;
  private final NodeEnv before;
  private final Program program;
  private final Switches switches;

  /** Runs one step of the ceremony. */
  interface Program {

    /** Returns why the step failed, in one line; empty if it did not. Blocks until it has ended. */
    Optional<String> run(List<String> words);
  }

  Setup(
      Dialogue dialogue,
      Answers answers,
      Interview interview,
      Places places,
      NodeEnv before,
      Program program,
      Switches switches) {
    this.dialogue = dialogue;
    this.answers = answers;
    this.interview = interview;
    this.places = places;
    this.before = before;
    this.program = program;
    this.switches = switches;
  }

  /**
   * Runs to the end.
   *
   * @throws SetupException if it does not get there
   * @throws IOException if a file cannot be written
   */
  void run() throws IOException {
    Plan plan = plan();
    if (switches.isCheck()) {
      dialogue.say("checked; nothing was changed");
      return;
    }
    answers.keep();
    makeOut();
    for (Step step : plan.steps()) {
      run(step);
    }
    if (plan.findings().root() == RootState.AWAITED) {
      throw waiting();
    }
    writeCertificates(plan.findings());
    writeConfiguration(plan);
    answers.forget();
    sayWhatIsNext(plan.findings());
  }

  private Plan plan() {
    refuseTokensFile();
    if (!switches.isReplaced()) {
      // Before a PIN is tried at another token than the node's.
      refuse(Plan.changes(before, answers.contradicted(CHANGEABLE)));
    }
    while (true) {
      Plan plan =
          Plan.of(
              answers,
              places,
              interview.gather(),
              before,
              switches.isCalibrated() && before.isEmpty());
      StaleFiles.refuse(places, plan.findings());
      if (!switches.isReplaced()) {
        refuse(plan.changes());
      }
      plan.lines(places).forEach(dialogue::say);
      if (!switches.isConfirmed() || !dialogue.isInteractive() || isAgreed()) {
        return plan;
      }
      answers.askAllAgain();
    }
  }

  /** Returns false if the answers are to be changed. */
  private boolean isAgreed() {
    while (true) {
      switch (dialogue.ask("Go on? (yes, no, change)").orElseThrow(Answers::stopped).strip()) {
        case "yes", "y" -> {
          return true;
        }
        case "no", "n" -> throw Answers.stopped();
        case "change" -> {
          return false;
        }
        default -> dialogue.say("yes, no, or change to answer again");
      }
    }
  }

  /** Lines that setup does not know stay, so --replace does not help. */
  private void refuseTokensFile() {
    before
        .value(TOKENS_FILE)
        .ifPresent(
            file -> {
              throw new SetupException(
                  Kind.FAILED,
                  String.format(
                      Locale.ROOT,
                      "%s has %s=%s, and setup writes one token, which contradicts it: remove that"
                          + " line, or name another --config-dir",
                      places.nodeEnv(),
                      TOKENS_FILE,
                      file));
            });
  }

  /** What an operator or an earlier run has written is not changed by the way. */
  private void refuse(List<String> changes) {
    if (!changes.isEmpty()) {
      throw new SetupException(
          Kind.FAILED,
          "the configuration in "
              + places.config()
              + " says otherwise: "
              + String.join("; ", changes)
              + ". --replace changes it");
    }
  }

  private void makeOut() throws IOException {
    if (!Files.isDirectory(places.out())) {
      Files.createDirectories(
          places.out(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  private void run(Step step) {
    dialogue.say(step.name() + " ...");
    Optional<String> failure = program.run(step.words());
    if (failure.isEmpty()) {
      dialogue.say("done: " + step.name());
      return;
    }
    if (step.isVital()) {
      throw new SetupException(
          Kind.FAILED,
          String.format(
              Locale.ROOT,
              "step %s failed: %s. Nothing was written to %s/node.env; when that is put right, run"
                  + " setup again: it goes on here",
              step.name(),
              failure.get(),
              places.config()));
    }
    dialogue.say(
        "note: step " + step.name() + " failed, a node works without it: " + failure.get());
  }

  private SetupException waiting() {
    return new SetupException(
        Kind.WAITING,
        String.format(
            Locale.ROOT,
            "have the other CA sign %s (basicConstraints CA, keyUsage keyCertSign and cRLSign), then"
                + " run setup again with %s FILE %s FILE: the first file has the certificate, the"
                + " second all above it, trust anchor last. The other answers are kept",
            places.issuer().csr(),
            Question.CERTIFICATE.option(),
            Question.ROOT.option()));
  }

  /** For clients, also on a machine on which the issuer was not installed. */
  private void writeCertificates(Findings findings) throws IOException {
    boolean isBrought = findings.root() == RootState.BROUGHT;
    if (!isBrought
        && Files.exists(places.issuer().root())
        && Files.exists(places.issuer().chain())) {
      return;
    }
    try (LedgerDatabase open = Present.open(findings.database().service())) {
      RegisteredIssuer issuer =
          new IssuerStore(open)
              .find(KnownIssuers.ISSUING)
              .orElseThrow(() -> new IllegalStateException("the issuing CA is not installed"));
      if (isBrought) {
        StaleFiles.refuseRoot(places, issuer);
      }
      CeremonyFiles.writeCertificates(places.issuer().chain(), issuer.certificates());
      CeremonyFiles.writeCertificates(
          places.issuer().root(), List.of(issuer.certificates().getLast()));
    }
  }

  /** The secrets first: a node starts when its settings are there. */
  private void writeConfiguration(Plan plan) throws IOException {
    for (SecretFile secret : plan.secrets()) {
      say(secret.write(), secret.kept());
    }
    boolean isChanged = plan.writesSettings();
    if (isChanged) {
      CeremonyFiles.writeSettings(places.nodeEnv(), plan.after().text());
    }
    say(isChanged, places.nodeEnv());
  }

  private void say(boolean isWritten, Path file) {
    dialogue.say((isWritten ? "written: " : "unchanged: ") + file);
  }

  private void sayWhatIsNext(Findings findings) {
    try (LedgerDatabase open = Present.open(findings.database().service())) {
      for (Path file : List.of(places.admin(), places.enroll())) {
        Present.expiry(open, file)
            .ifPresent(end -> dialogue.say(file + ", mode 0600, is good until " + end));
      }
    }
    if (findings.credentials() == Credentials.ELSEWHERE) {
      dialogue.say(
          "there are administrators, so no credentials were made; --new-credentials makes"
              + " admin.token and enroll.token all the same");
    }
    dialogue.say(
        "give clients "
            + places.issuer().root()
            + "; start the node (systemctl enable --now sluice); then docs/INSTALL.md#9-before-it-counts");
  }
}
