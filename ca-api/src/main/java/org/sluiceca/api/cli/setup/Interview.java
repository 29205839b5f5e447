package org.sluiceca.api.cli.setup;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.cli.ceremony.state.TokenState;
import org.sluiceca.api.cli.setup.Findings.Credentials;
import org.sluiceca.api.cli.setup.Findings.Database;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Dialogue;
import org.sluiceca.api.cli.setup.answer.Sections;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.issuer.KnownIssuers;
import org.sluiceca.api.cli.setup.issuer.PublicUrls;
import org.sluiceca.api.cli.setup.issuer.RootInterview;
import org.sluiceca.api.cli.setup.issuer.RootInterview.Certified;
import org.sluiceca.api.cli.setup.issuer.RootState;
import org.sluiceca.api.cli.setup.issuer.Subjects;
import org.sluiceca.api.cli.setup.issuer.TokenAccess;
import org.sluiceca.api.cli.setup.question.Question;
import org.sluiceca.api.cli.setup.store.DatabaseCheck;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.RecordedCheckpoint;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.x509.OctetString;

/**
 * Gathers the answers section by section, and checks each section before the next one. Changes
 * nothing but the draft.
 */
final class Interview {

  /** The key of the audit trail's checkpoints, in the issuing token. */
  static final String AUDIT_KEY = RecordedCheckpoint.KEY.value();

  private static final Set<Question> OF_TOKEN =
      EnumSet.of(Question.MODULE, Question.TOKEN_LABEL, Question.PIN);

  private static final List<Question> OF_NODE =
      List.of(
          Question.SERVICE_URL,
          Question.NODE_NAME,
          Question.ADDRESS,
          Question.MANAGEMENT_ADDRESS,
          Question.NODES);

  private final Answers answers;
  private final Dialogue dialogue;
  private final Places places;
  private final DatabaseInterview databases;
  private final Sections sections;
  private final boolean newCredentials;

  /**
   * Asks and checks in these sections.
   *
   * @param newCredentials whether credentials are made although there are administrators
   */
  Interview(
      Answers answers,
      Dialogue dialogue,
      Sections sections,
      Places places,
      DatabaseCheck databases,
      boolean newCredentials) {
    this.answers = answers;
    this.dialogue = dialogue;
    this.places = places;
    this.databases =
        new DatabaseInterview(answers, dialogue, sections, places.password(), databases);
    this.sections = sections;
    this.newCredentials = newCredentials;
  }

  /**
   * Asks and checks everything; blocks as long as the operator, the database and the tokens take.
   *
   * @throws SetupException if a check fails and cannot be asked again
   */
  Findings gather() {
    Database database = databases.database();
    if (!database.isSchemaThere()) {
      return gather(database, Present.NOTHING, Credentials.MISSING);
    }
    Present present;
    Credentials credentials;
    // Closed before the next question: it has as many connections as a node.
    try (LedgerDatabase open = Present.open(database.reader())) {
      present = Present.read(open);
      credentials = credentials(open, present);
    } catch (LedgerUnavailable e) {
      throw new SetupException("the database does not answer any more: " + e.getMessage(), e);
    }
    return gather(database, present, credentials);
  }

  private Findings gather(Database database, Present present, Credentials credentials) {
    Opened opened = sections.run(OF_TOKEN, () -> token(present.issuers()));
    TokenAccess token = opened.token();
    TokenState keys = opened.keys();
    RootInterview rootInterview = new RootInterview(answers, dialogue, sections, places.issuer());
    Certified certified = rootInterview.root(present.issuers(), keys);
    RootState root = certified.state();
    Optional<TokenAccess> rootToken = rootInterview.token(present.issuers(), root, token);
    sections.run(EnumSet.of(Question.PUBLIC_URL), () -> publicUrl(present.issuers(), certified));
    if (!present.hasResponder()) {
      String _ = answers.require(Question.OCSP_SUBJECT);
    }
    for (Question question : OF_NODE) {
      String _ = answers.require(question);
    }
    databases.noteConnections(database);
    sections.keep();
    Optional<String> subject = certified.certificate().map(Subjects::text);
    return new Findings(database, present, token, keys, root, subject, rootToken, credentials);
  }

  private record Opened(TokenAccess token, TokenState keys) {}

  private Opened token(KnownIssuers issuers) {
    TokenAccess token =
        new TokenAccess(
            Path.of(answers.require(Question.MODULE)),
            answers.require(Question.TOKEN_LABEL),
            answers.secret(Question.PIN, places.pin()));
    TokenState keys =
        token.keys(
            Set.of(
                KnownIssuers.ISSUING.value(),
                Responder.keyOf(KnownIssuers.ISSUING).value(),
                AUDIT_KEY));
    issuers.issuing().ifPresent(issuer -> requireKey(issuer, token, keys));
    return new Opened(token, keys);
  }

  /** Another key under the issuer's name would sign what no client can verify. */
  private static void requireKey(RegisteredIssuer issuer, TokenAccess token, TokenState keys) {
    if (issuer.state() != RegisteredIssuer.State.ACTIVE) {
      throw Sections.failure(
          "issuer %s of this database is retired: setup makes no other; see"
              + " docs/OPERATIONS.md#issuers-while-nodes-run",
          issuer.name());
    }
    OctetString key =
        keys.key(issuer.name().value())
            .orElseThrow(
                () ->
                    Sections.failure(
                        "issuer %s is installed, and token \"%s\" has no key of this name: it was"
                            + " made in token \"%s\". Name that token, or another database",
                        issuer.name(), token.label(), issuer.key().tokenLabel()));
    if (!key.equals(issuer.subjectPublicKeyInfo())) {
      throw Sections.failure(
          "the key %s in token \"%s\" is not the one of the installed certificate: it was made in"
              + " token \"%s\". Name that token, or another database",
          issuer.name(), token.label(), issuer.key().tokenLabel());
    }
  }

  /** Of several that are fixed none is proposed: only the operator knows which one is served. */
  private String publicUrl(KnownIssuers issuers, Certified certified) {
    List<String> fixed = fixedUrls(issuers, certified);
    if (fixed.size() > 1) {
      String named = "the certificates of this CA name " + String.join(" and ", fixed);
      if (!dialogue.isInteractive() && !answers.isKnown(Question.PUBLIC_URL)) {
        throw Sections.failure("%s: give one of them by %s", named, Question.PUBLIC_URL.option());
      }
      dialogue.say("note: " + named + ": each is to be served while they are valid");
    }
    String url = answers.require(Question.PUBLIC_URL, fixed.size() == 1 ? fixed.getFirst() : null);
    if (!fixed.isEmpty() && !fixed.contains(url)) {
      throw Sections.failure(
          "the certificates of this CA name %s, which can never be changed: give %s %s",
          String.join(" and ", fixed),
          Question.PUBLIC_URL.option(),
          fixed.size() == 1 ? fixed.getFirst() : "one of them");
    }
    return url;
  }

  private List<String> fixedUrls(KnownIssuers issuers, Certified certified) {
    if (!issuers.publicUrls().isEmpty()) {
      return issuers.publicUrls();
    }
    return certified
        .certificate()
        .filter(_ -> certified.state() == RootState.SIGNED)
        .flatMap(certificate -> PublicUrls.of(certificate, KnownIssuers.ROOT))
        .or(() -> issuers.issuing().flatMap(_ -> answers.configured(Question.PUBLIC_URL)))
        .stream()
        .toList();
  }

  private Credentials credentials(LedgerDatabase database, Present present) {
    boolean isAdminThere = Present.expiry(database, places.admin()).isPresent();
    if (isAdminThere && Present.expiry(database, places.enroll()).isPresent()) {
      return Credentials.WRITTEN;
    }
    return isAdminThere || !present.hasAdministrator() || newCredentials
        ? Credentials.MISSING
        : Credentials.ELSEWHERE;
  }
}
