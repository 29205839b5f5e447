package org.sluiceca.api.cli.setup;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.cli.setup.Findings.Database;
import org.sluiceca.api.cli.setup.answer.Answers;
import org.sluiceca.api.cli.setup.answer.Dialogue;
import org.sluiceca.api.cli.setup.answer.Sections;
import org.sluiceca.api.cli.setup.answer.SetupException;
import org.sluiceca.api.cli.setup.question.Question;
import org.sluiceca.api.cli.setup.store.DatabaseCheck;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Account;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Found;

/** The section about the database, its two roles and its schema. */
final class DatabaseInterview {

  /** docs/DATABASE.md#the-server. */
  private static final int CONNECTIONS_OF_A_NODE = 13;

  private static final int CONNECTIONS_OF_OTHERS = 10;

  private static final Set<Question> QUESTIONS =
      EnumSet.of(
          Question.DATABASE_URL,
          Question.DATABASE_USER,
          Question.DATABASE_PASSWORD,
          Question.OWNER,
          Question.OWNER_PASSWORD);

  private final Answers answers;
  private final Dialogue dialogue;
  private final Sections sections;
  private final Path password;
  private final DatabaseCheck databases;

  /**
   * Asks and checks in these sections.
   *
   * @param password where an earlier run has written the serving role's, if there was one
   */
  DatabaseInterview(
      Answers answers,
      Dialogue dialogue,
      Sections sections,
      Path password,
      DatabaseCheck databases) {
    this.answers = answers;
    this.dialogue = dialogue;
    this.sections = sections;
    this.password = password;
    this.databases = databases;
  }

  /**
   * Asks for the database and looks into it, changing nothing. Blocks as long as both take.
   *
   * @throws SetupException if a check fails and cannot be asked again
   */
  Database database() {
    return sections.run(QUESTIONS, this::asked);
  }

  private Account account(Question user, Question secret, @Nullable Path there) {
    return new Account(
        answers.require(Question.DATABASE_URL),
        answers.require(user),
        answers.secret(secret, there));
  }

  private Database asked() {
    Account service = account(Question.DATABASE_USER, Question.DATABASE_PASSWORD, password);
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

  /** Says if nodes need more connections than the server has. */
  void noteConnections(Database database) {
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
}
