package org.sluiceca.api.cli.setup;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.cli.ceremony.state.TokenState;
import org.sluiceca.api.cli.setup.Findings.Credentials;
import org.sluiceca.api.cli.setup.Findings.Database;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Dialogue;
import org.sluiceca.api.cli.setup.answer.Question;
import org.sluiceca.api.cli.setup.answer.Sections;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.issuer.KnownIssuers;
import org.sluiceca.api.cli.setup.issuer.PublicUrls;
import org.sluiceca.api.cli.setup.issuer.RootInterview;
import org.sluiceca.api.cli.setup.issuer.RootInterview.Certified;
import org.sluiceca.api.cli.setup.issuer.RootState;
import org.sluiceca.api.cli.setup.issuer.Subjects;
import org.sluiceca.api.cli.setup.issuer.TokenAccess;
import org.sluiceca.api.cli.setup.store.DatabaseCheck;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Account;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Found;
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

  /** docs/DATABASE.md#the-server. */
  private static final int CONNECTIONS_OF_A_NODE = 13;

  private static final int CONNECTIONS_OF_OTHERS = 10;

  private static final Set<Question> OF_DATABASE =
      EnumSet.of(
          Question.DATABASE_URL,
          Question.DATABASE_USER,
          Question.DATABASE_PASSWORD,
          Question.OWNER,
          Question.OWNER_PASSWORD);

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
  private final DatabaseCheck databases;
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
    this.databases = databases;
    this.sections = sections;
    this.newCredentials = newCredentials;
  }

  /**
   * Asks and checks everything; blocks as long as the operator, the database and the tokens take.
   *
   * @throws SetupException if a check fails and cannot be asked again
   */
  Findings gather() {
    Database database = sections.run(OF_DATABASE, this::database);
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
    noteConnections(database);
    sections.keep();
    Optional<String> subject = certified.certificate().map(Subjects::text);
    return new Findings(database, present, token, keys, root, subject, rootToken, credentials);
  }

  private void noteConnections(Database database) {
    int needed =
        CONNECTIONS_OF_A_NODE * Integer.parseInt(answers.require(Question.NODES))
            + CONNECTIONS_OF_OTHERS;
    if (database.connections() < needed) {
      dialogue.say(
          String.format(
              Locale.ROOT,
              "note: the database has max_connections = %d, and these nodes need %d: raise it"
                  + " before they start",
              database.connections(),
              needed));
    }
  }

  private Account account(Question user, Question password, @Nullable Path there) {
    return new Account(
        answers.require(Question.DATABASE_URL),
        answers.require(user),
        answers.secret(password, there));
  }

  private Database database() {
    Account service =
        account(Question.DATABASE_USER, Question.DATABASE_PASSWORD, places.password());
    Found found = databases.look(service);
    boolean isSchemaThere = found.schema().pending() == 0;
    if (found.isSuperuser()) {
      throw Sections.failure(
          "role %s is a superuser, and a node must not serve with one: make the roles of"
              + " docs/DATABASE.md#roles",
          service.user());
    }
    if (isSchemaThere && (found.schema().mayServe() || found.schema().isOwner())) {
      return new Database(service, true, false, Optional.empty(), found.connections());
    }
    boolean isOwnerNamed =
        answers.isKnown(Question.OWNER) && !answers.require(Question.OWNER).equals(service.user());
    if (found.schema().isOwner() && !isOwnerNamed) {
      requireNew(found);
      dialogue.say(
          "note: "
              + service.user()
              + " owns the tables and serves as well; in production they are two roles"
              + " (docs/DATABASE.md#roles)");
      return new Database(service, isSchemaThere, true, Optional.empty(), found.connections());
    }
    if (!dialogue.isInteractive() && !isOwnerNamed) {
      throw new SetupException(
          SetupException.Kind.USAGE,
          String.format(
              Locale.ROOT,
              "%s is missing: the schema lacks %d migrations or role %s its rights, and only the"
                  + " owner of the tables can change that (docs/DATABASE.md#roles)",
              Question.OWNER.option(),
              found.schema().pending(),
              service.user()));
    }
    if (answers.require(Question.OWNER).equals(service.user())) {
      throw Sections.failure(
          "role %s does not own this database, and may not make its tables: name its owner",
          service.user());
    }
    // Not a file of an earlier run: no machine keeps the owner's password.
    Account owner = account(Question.OWNER, Question.OWNER_PASSWORD, null);
    Found owned = databases.look(owner);
    requireNew(owned);
    requireRoles(service, found, owner, owned);
    return new Database(service, isSchemaThere, true, Optional.of(owner), found.connections());
  }

  /** Of an older release's schema nothing is known here: what is there might be made again. */
  private static void requireNew(Found found) {
    if (found.schema().pending() > 0 && found.schema().hasIssuers()) {
      throw Sections.failure(
          "the database has issuers, and its schema lacks %d migrations of this release: upgrade it"
              + " by ceremony migrate (docs/DATABASE.md#roles), then run setup again",
          found.schema().pending());
    }
  }

  private static void requireRoles(Account service, Found found, Account owner, Found owned) {
    if (!owned.schema().isOwner()) {
      throw Sections.failure(
          "role %s does not own this database, and may not make its tables: name its owner",
          owner.user());
    }
    if (!found.seesSessions() || !owned.seesSessions()) {
      throw Sections.failure(
          "a role does not see the other's sessions, which recovery needs: as a superuser, GRANT"
              + " pg_read_all_stats TO %s, %s",
          owner.user(), service.user());
    }
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

  private String publicUrl(KnownIssuers issuers, Certified certified) {
    Optional<String> signed =
        certified
            .certificate()
            .filter(_ -> certified.state() == RootState.SIGNED)
            .flatMap(certificate -> PublicUrls.of(certificate, KnownIssuers.ROOT));
    Optional<String> fixed =
        issuers
            .publicUrl()
            .or(() -> signed)
            .or(() -> issuers.issuing().flatMap(_ -> answers.configured(Question.PUBLIC_URL)));
    String url = answers.require(Question.PUBLIC_URL, fixed.orElse(null));
    if (fixed.isPresent() && !fixed.get().equals(url)) {
      throw Sections.failure(
          "the certificates of this CA name %s, which can never be changed: give %s %s",
          fixed.get(), Question.PUBLIC_URL.option(), fixed.get());
    }
    return url;
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
