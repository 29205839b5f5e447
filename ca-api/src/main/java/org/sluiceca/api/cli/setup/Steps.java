package org.sluiceca.api.cli.setup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.cli.setup.Findings.Credentials;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.issuer.KnownIssuers;
import org.sluiceca.api.cli.setup.issuer.RootState;
import org.sluiceca.api.cli.setup.issuer.Subjects;
import org.sluiceca.api.cli.setup.issuer.TokenAccess;
import org.sluiceca.api.cli.setup.question.Question;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Account;
import org.sluiceca.core.x509.OctetString;

/**
 * Which of the ceremony's steps are missing, in their order, as command lines. What is there needs
 * none, so a run after a stopped one begins where that ended.
 */
final class Steps {

  /**
   * A step.
   *
   * @param words its command line; secrets are named by file
   * @param purpose for people
   * @param isVital whether a node cannot work without it
   */
  record Step(List<String> words, String purpose, boolean isVital) {

    Step {
      words = List.copyOf(words);
    }

    /** Returns its name as the ceremony has it. */
    String name() {
      return words.getFirst();
    }
  }

  private final Answers answers;
  private final Places places;
  private final Findings findings;
  private final List<Step> steps = new ArrayList<>();

  private Steps(Answers answers, Places places, Findings findings) {
    this.answers = answers;
    this.places = places;
    this.findings = findings;
  }

  /**
   * Returns the steps that are missing.
   *
   * @param isCalibrated whether the token is to be measured, if it was not
   */
  static List<Step> missing(
      Answers answers, Places places, Findings findings, boolean isCalibrated) {
    Steps steps = new Steps(answers, places, findings);
    steps.schema();
    steps.issuer();
    if (findings.root() != RootState.AWAITED) {
      steps.publications();
      steps.credentials();
      if (isCalibrated) {
        steps.add(
            false,
            "measure the token, if it was not measured",
            with(steps.words("calibrate"), List.of("--if-missing"), steps.token()));
      }
    }
    return List.copyOf(steps.steps);
  }

  private void schema() {
    if (findings.database().mustMigrate()) {
      List<String> words = words("migrate");
      findings
          .database()
          .owner()
          .ifPresent(
              owner -> {
                words.add("--database-migration-user=" + owner.user());
                words.add("--database-migration-password-file=" + owner.passwordFile());
              });
      add(true, "make the schema, and give the serving role its rights", words);
    }
  }

  private void issuer() {
    if ((findings.root() == RootState.OWN || findings.root() == RootState.AWAITED)
        && !Subjects.isRequested(answers, places.issuer(), findings.keys())) {
      boolean isThere = findings.keys().key(KnownIssuers.ISSUING.value()).isPresent();
      add(
          true,
          isThere
              ? "write the CSR of the key that the token has"
              : "make the issuing key in its token, and write its CSR",
          with(
              words("issuing-key"),
              List.of(
                  "--name=" + KnownIssuers.ISSUING,
                  "--key-algorithm=" + answers.require(Question.KEY_ALGORITHM),
                  "--subject=" + answers.require(Question.SUBJECT),
                  "--csr-out=" + places.issuer().csr()),
              token()));
    }
    if (findings.root() == RootState.OWN) {
      root();
    }
    Optional<Path> certificate =
        switch (findings.root()) {
          case OWN, SIGNED -> Optional.of(places.issuer().certificate());
          case BROUGHT -> Optional.of(Path.of(answers.require(Question.CERTIFICATE)));
          case INSTALLED, AWAITED -> Optional.empty();
        };
    certificate.ifPresent(
        file ->
            add(
                true,
                "install the issuing CA",
                with(
                    words("install"),
                    List.of(
                        "--name=" + KnownIssuers.ISSUING,
                        "--certificate=" + file,
                        "--root="
                            + (findings.root() == RootState.BROUGHT
                                ? answers.require(Question.ROOT)
                                : places.issuer().root()),
                        "--chain-out=" + places.issuer().chain()),
                    token())));
  }

  private void root() {
    boolean isThere = findings.present().issuers().root().isPresent();
    List<String> words =
        with(
            words("root"),
            List.of(
                "--public-url=" + answers.require(Question.PUBLIC_URL),
                "--csr=" + places.issuer().csr(),
                "--certificate-out=" + places.issuer().certificate(),
                "--root-out=" + places.issuer().root()),
            token(findings.rootToken().orElseThrow()));
    // The step asks for a subject, which counts only for a root that it makes.
    words.add("--subject=" + (isThere ? "CN=unused" : answers.require(Question.ROOT_SUBJECT)));
    if (!isThere) {
      words.add("--key-algorithm=" + answers.require(Question.ROOT_KEY_ALGORITHM));
    }
    add(
        true,
        isThere
            ? "have the root sign the issuing CA's certificate"
            : "make the root in its token, and have it sign the issuing CA's certificate",
        words);
  }

  private void publications() {
    String publicUrl = "--public-url=" + answers.require(Question.PUBLIC_URL);
    if (findings.rootToken().isPresent() && !findings.present().issuers().hasRootCrl()) {
      add(
          true,
          "sign the root's CRL",
          with(
              words("crl"),
              List.of(
                  "--issuer=" + KnownIssuers.ROOT,
                  publicUrl,
                  "--days=" + answers.require(Question.ROOT_CRL_DAYS),
                  "--out=" + places.issuer().rootCrl()),
              token(findings.rootToken().get())));
    }
    if (!findings.present().hasResponder()) {
      add(
          false,
          "make the OCSP responder",
          with(
              words("ocsp-responder"),
              List.of(
                  "--issuer=" + KnownIssuers.ISSUING,
                  publicUrl,
                  "--subject=" + answers.require(Question.OCSP_SUBJECT)),
              token()));
    }
    if (isAuditKeyMissing()) {
      add(
          false,
          "make the key of the audit trail's checkpoints, and write its public half",
          with(words("audit-key"), List.of("--public-key-out=" + places.auditKey()), token()));
    }
  }

  /** One that was made in another token stays where it is. */
  private boolean isAuditKeyMissing() {
    Optional<OctetString> registered = findings.present().auditKey();
    return registered.isEmpty()
        || (!Files.exists(places.auditKey())
            && registered.equals(findings.keys().key(Interview.AUDIT_KEY)));
  }

  private void credentials() {
    if (findings.credentials() == Credentials.MISSING) {
      add(
          true,
          "make the first credentials, admin.token and enroll.token",
          with(words("credentials"), List.of("--out-dir=" + places.out())));
    }
  }

  private void add(boolean isVital, String purpose, List<String> words) {
    steps.add(new Step(words, purpose, isVital));
  }

  /** A step with the serving role. */
  private List<String> words(String step) {
    Account service = findings.database().service();
    return new ArrayList<>(
        List.of(
            step,
            "--database-url=" + service.url(),
            "--database-user=" + service.user(),
            "--database-password-file=" + service.passwordFile()));
  }

  private List<String> token() {
    return token(findings.token());
  }

  private static List<String> token(TokenAccess token) {
    return List.of(
        "--module=" + token.module(),
        "--token-label=" + token.label(),
        "--pin-file=" + token.pinFile());
  }

  @SafeVarargs
  private static List<String> with(List<String> words, List<String>... more) {
    for (List<String> some : more) {
      words.addAll(some);
    }
    return words;
  }
}
