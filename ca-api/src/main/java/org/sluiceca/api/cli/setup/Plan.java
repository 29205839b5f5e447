package org.sluiceca.api.cli.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.api.cli.setup.Findings.Credentials;
import org.sluiceca.api.cli.setup.Steps.Step;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.NodeEnv;
import org.sluiceca.api.cli.setup.issuer.RootState;

/**
 * What is there, and what a run does and writes. Nothing of it has begun.
 *
 * @param steps the ceremony's that are missing
 * @param before the node's settings that are there
 * @param settings those that were answered, by their names
 * @param secrets the node's
 */
record Plan(
    Findings findings,
    List<Step> steps,
    NodeEnv before,
    Map<String, String> settings,
    List<SecretFile> secrets) {

  /**
   * Plans from what the checks have found.
   *
   * @param isCalibrated whether the token is to be measured, if it was not
   */
  static Plan of(
      Answers answers, Places places, Findings findings, NodeEnv before, boolean isCalibrated) {
    return new Plan(
        findings,
        Steps.missing(answers, places, findings, isCalibrated),
        before,
        answers.settings(),
        List.of(
            new SecretFile(findings.token().pinFile(), places.pin()),
            new SecretFile(findings.database().service().passwordFile(), places.password())));
  }

  /** Returns the node's settings as they will be. */
  NodeEnv after() {
    return before.with(settings);
  }

  /** Returns whether the settings are to be written. */
  boolean writesSettings() {
    return before.isEmpty() || !after().text().equals(before.text());
  }

  /** Returns what is there and would become another: settings and secrets, a line for each. */
  List<String> changes() {
    List<String> changes = changes(before, settings);
    for (SecretFile secret : secrets) {
      if (secret.differs()) {
        changes.add(secret.kept() + " holds another secret than " + secret.given());
      }
    }
    return changes;
  }

  /** Returns the settings that are there and would become others, a line for each. */
  static List<String> changes(NodeEnv before, Map<String, String> settings) {
    List<String> changes = new ArrayList<>();
    settings.forEach(
        (name, value) ->
            before
                .value(name)
                .filter(there -> !there.equals(value))
                .ifPresent(
                    there ->
                        changes.add(
                            String.format(Locale.ROOT, "%s is %s, not %s", name, there, value))));
    return changes;
  }

  /** Returns it for the operator. */
  List<String> lines(Places places) {
    List<String> lines = new ArrayList<>(List.of("", "Answers:"));
    settings.forEach((name, value) -> lines.add("  " + name + "=" + value));
    lines.add("There already:");
    there().forEach(line -> lines.add("  " + line));
    lines.add("To do:");
    for (Step step : steps) {
      lines.add("  " + step.name() + ": " + step.purpose());
    }
    lines.add(
        findings.root() == RootState.AWAITED
            ? "  then wait for the other CA's certificate"
            : "  write " + places.nodeEnv() + " and its secrets, if they differ");
    return lines;
  }

  private List<String> there() {
    Present present = findings.present();
    List<String> lines = new ArrayList<>();
    lines.add(findings.database().mustMigrate() ? "no schema of this release" : "the schema");
    findings
        .keys()
        .keys()
        .keySet()
        .forEach(key -> lines.add("key " + key + " in token " + findings.token().label()));
    present.issuers().root().ifPresent(_ -> lines.add("the root"));
    findings
        .subject()
        .ifPresent(
            subject ->
                lines.add(
                    present.issuers().issuing().isPresent()
                        ? "the issuing CA " + subject + ", whose key the token has"
                        : "the certificate of " + subject + ", not installed"));
    if (present.issuers().hasRootCrl()) {
      lines.add("the root's CRL");
    } else if (present.issuers().root().isPresent() && findings.rootToken().isEmpty()) {
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
}
