package org.sluiceca.api.cli.setup.question;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What setup has to know. Each is an option of the command line, a question of the dialogue, a line
 * of the draft, and, where a node needs it, a setting.
 */
public enum Question {
  DATABASE_URL(
      "database-url",
      AnswerRule.DATABASE_URL,
      "Database, jdbc:postgresql://HOST/NAME",
      null,
      "SLUICE_DATABASE_URL"),
  DATABASE_USER(
      "database-user",
      AnswerRule.ROLE,
      "Role that nodes serve with",
      "sluice_service",
      "SLUICE_DATABASE_USER"),
  DATABASE_PASSWORD("database-password-file", AnswerRule.PATH, "Its password", null, null),
  OWNER(
      "database-migration-user",
      AnswerRule.ROLE,
      "Role that owns the tables and makes the schema",
      "sluice",
      null),
  OWNER_PASSWORD("database-migration-password-file", AnswerRule.PATH, "Its password", null, null),
  MODULE("module", AnswerRule.PATH, "PKCS#11 module (.so)", null, "SLUICE_HSM_MODULE"),
  TOKEN_LABEL(
      "token-label",
      AnswerRule.TOKEN_LABEL,
      "Label of the token with the issuing key",
      null,
      "SLUICE_HSM_TOKEN_LABEL"),
  PIN("pin-file", AnswerRule.PATH, "Its user PIN", null, null),
  SUBJECT(
      "subject", AnswerRule.SUBJECT, "Subject of the issuing CA, CN=...,O=...,C=...", null, null),
  KEY_ALGORITHM(
      "key-algorithm", AnswerRule.KEY_ALGORITHM, "Algorithm of the issuing key", "ec-p256", null),
  ROOT_CA(
      "root-ca", AnswerRule.ROOT_CA, "Root: own, in a token of its own, or external", "own", null),
  ROOT_MODULE("root-module", AnswerRule.PATH, "PKCS#11 module of the root's token", null, null),
  ROOT_TOKEN_LABEL(
      "root-token-label", AnswerRule.TOKEN_LABEL, "Label of the root's token", null, null),
  ROOT_PIN("root-pin-file", AnswerRule.PATH, "Its user PIN", null, null),
  ROOT_SUBJECT(
      "root-subject", AnswerRule.SUBJECT, "Subject of the root, CN=...,O=...,C=...", null, null),
  ROOT_KEY_ALGORITHM(
      "root-key-algorithm",
      AnswerRule.KEY_ALGORITHM,
      "Algorithm of the root's key",
      "ec-p384",
      null),
  ROOT_CRL_DAYS(
      "root-crl-days", AnswerRule.DAYS, "Days for which the root's CRL is good", "90", null),
  CERTIFICATE(
      "certificate", AnswerRule.PATH, "The issuing CA's certificate from it (PEM)", null, null),
  ROOT("root", AnswerRule.PATH, "The certificates above it, trust anchor last (PEM)", null, null),
  OCSP_SUBJECT(
      "ocsp-subject",
      AnswerRule.SUBJECT,
      "Subject of the OCSP responder",
      "CN=OCSP Responder",
      null),
  PUBLIC_URL(
      "public-url",
      AnswerRule.PUBLIC_URL,
      "URL in every certificate, for CRLs and OCSP; it can never be changed",
      null,
      "SLUICE_PUBLIC_URL"),
  SERVICE_URL(
      "service-url",
      AnswerRule.SERVICE_URL,
      "URL at which clients reach the service, https://host:port",
      null,
      "SLUICE_SERVICE_URL"),
  NODE_NAME(
      "node-name",
      AnswerRule.NODE_NAME,
      "Name of this node, another on each",
      "node-0",
      "SLUICE_NODE_NAME"),
  ADDRESS(
      "address",
      AnswerRule.ADDRESS,
      "Address on which this node serves",
      "127.0.0.1",
      "SERVER_ADDRESS"),
  MANAGEMENT_ADDRESS(
      "management-address",
      AnswerRule.ADDRESS,
      "Address of health and metrics, which have no authentication",
      "127.0.0.1",
      "MANAGEMENT_SERVER_ADDRESS"),
  NODES("nodes", AnswerRule.NODES, "Nodes that share the token", "2", "SLUICE_HSM_NODES_MAX");

  private final String flag;
  private final AnswerRule rule;
  private final String text;
  private final @Nullable String usual;
  private final @Nullable String setting;

  Question(
      String flag, AnswerRule rule, String text, @Nullable String usual, @Nullable String setting) {
    this.flag = flag;
    this.rule = rule;
    this.text = text;
    this.usual = usual;
    this.setting = setting;
  }

  /** Returns the question of this option, which is written without dashes. */
  public static Optional<Question> ofFlag(String flag) {
    return Arrays.stream(values()).filter(question -> question.flag.equals(flag)).findFirst();
  }

  /** Returns the option, with its dashes. */
  public String option() {
    return "--" + flag;
  }

  /** Returns its name without dashes, as the draft has it. */
  public String flag() {
    return flag;
  }

  /** Returns what is asked, for people. */
  public String text() {
    return text;
  }

  /** Returns the answer that is usual; empty if there is none. */
  public Optional<String> usual() {
    return Optional.ofNullable(usual);
  }

  /** Returns the name of the node's setting in the environment; empty if it is none. */
  public Optional<String> setting() {
    return Optional.ofNullable(setting);
  }

  /** Returns whether it names a file. */
  public boolean isPath() {
    return rule == AnswerRule.PATH;
  }

  /** Returns whether it names a file that holds a secret. */
  public boolean isSecret() {
    return this == DATABASE_PASSWORD || this == OWNER_PASSWORD || this == PIN || this == ROOT_PIN;
  }

  /** Returns an answer as it is kept: a URL without slashes at its end. */
  public String normal(String answer) {
    return rule == AnswerRule.PUBLIC_URL || rule == AnswerRule.SERVICE_URL
        ? answer.replaceAll("/+$", "")
        : answer;
  }

  /** Returns what is wrong with an answer, in one line; empty if nothing is. */
  public Optional<String> fault(String answer) {
    return rule.fault(answer).map(fault -> option() + " " + fault);
  }
}
