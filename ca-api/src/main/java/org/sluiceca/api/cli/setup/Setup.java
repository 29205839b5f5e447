package org.sluiceca.api.cli.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;
import org.sluiceca.api.cli.setup.Findings.Credentials;
import org.sluiceca.api.cli.setup.Findings.RootState;
import org.sluiceca.api.cli.setup.Steps.Step;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Dialogue;
import org.sluiceca.api.cli.setup.answer.NodeEnv;
import org.sluiceca.api.cli.setup.answer.Question;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.answer.SetupException.Kind;
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

  /**
   * What is to be done.
   *
   * @param settings the node's settings as they will be
   * @param secrets the node's secrets
   */
  private record Plan(
      Findings findings, List<Step> steps, NodeEnv settings, List<SecretFile> secrets) {}

  private Plan plan() {
    refuseTokensFile();
    while (true) {
      Findings findings = interview.gather();
      List<SecretFile> secrets =
          List.of(
              new SecretFile(findings.token().pinFile(), places.pin()),
              new SecretFile(findings.database().service().passwordFile(), places.password()));
      if (!switches.isReplaced()) {
        refuseChanges(secrets);
      }
      Plan plan =
          new Plan(
              findings,
              Steps.missing(answers, places, findings, switches.isCalibrated() && before.isEmpty()),
              before.with(answers.settings()),
              secrets);
      show(plan);
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
  private void refuseChanges(List<SecretFile> secrets) {
    List<String> changes = new ArrayList<>();
    answers
        .settings()
        .forEach(
            (name, value) ->
                before
                    .value(name)
                    .filter(there -> !there.equals(value))
                    .ifPresent(
                        there ->
                            changes.add(
                                String.format(
                                    Locale.ROOT, "%s is %s, not %s", name, there, value))));
    for (SecretFile secret : secrets) {
      if (secret.differs()) {
        changes.add(secret.kept() + " holds another secret than " + secret.given());
      }
    }
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

  private void show(Plan plan) {
    dialogue.say("");
    dialogue.say("Answers:");
    for (Map.Entry<String, String> setting : answers.settings().entrySet()) {
      dialogue.say("  " + setting.getKey() + "=" + setting.getValue());
    }
    dialogue.say("There already:");
    there(plan.findings()).forEach(line -> dialogue.say("  " + line));
    dialogue.say("To do:");
    for (Step step : plan.steps()) {
      dialogue.say("  " + step.name() + ": " + step.purpose());
    }
    dialogue.say(
        plan.findings().root() == RootState.AWAITED
            ? "  then wait for the other CA's certificate"
            : "  write " + places.nodeEnv() + " and its secrets, if they differ");
  }

  private static List<String> there(Findings findings) {
    Present present = findings.present();
    List<String> lines = new ArrayList<>();
    lines.add(findings.database().mustMigrate() ? "no schema of this release" : "the schema");
    findings
        .keys()
        .keys()
        .keySet()
        .forEach(key -> lines.add("key " + key + " in token " + findings.token().label()));
    present.root().ifPresent(_ -> lines.add("the root"));
    findings
        .subject()
        .ifPresent(
            subject ->
                lines.add(
                    present.issuer().isPresent()
                        ? "the issuing CA " + subject + ", whose key the token has"
                        : "the certificate of " + subject + ", not installed"));
    if (present.hasRootCrl()) {
      lines.add("the root's CRL");
    } else if (present.root().isPresent() && findings.rootToken().isEmpty()) {
      lines.add("note: the root has no CRL that is good now: sign it by ceremony crl");
    }
    if (present.hasResponder()) {
      lines.add("the OCSP responder");
    }
    present.auditKey().ifPresent(_ -> lines.add("the audit trail's key"));
    if (findings.credentials() != Credentials.MISSING) {
      lines.add("credentials of an administrator");
    }
    return lines;
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
            places.csr(),
            Question.CERTIFICATE.option(),
            Question.ROOT.option()));
  }

  /** For clients, also on a machine on which the issuer was not installed. */
  private void writeCertificates(Findings findings) throws IOException {
    if (Files.exists(places.root()) && Files.exists(places.chain())) {
      return;
    }
    try (LedgerDatabase open = Present.open(findings.database().service())) {
      RegisteredIssuer issuer =
          new IssuerStore(open)
              .find(Present.ISSUING)
              .orElseThrow(() -> new IllegalStateException("the issuing CA is not installed"));
      CeremonyFiles.writeCertificates(places.chain(), issuer.certificates());
      CeremonyFiles.writeCertificates(places.root(), List.of(issuer.certificates().getLast()));
    }
  }

  /** The secrets first: a node starts when its settings are there. */
  private void writeConfiguration(Plan plan) throws IOException {
    for (SecretFile secret : plan.secrets()) {
      say(secret.write(), secret.kept());
    }
    boolean isChanged = !plan.settings().text().equals(before.text()) || before.isEmpty();
    if (isChanged) {
      CeremonyFiles.writeSettings(places.nodeEnv(), plan.settings().text());
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
            + places.root()
            + "; start the node (systemctl enable --now sluice); then docs/INSTALL.md#9-before-it-counts");
  }
}
