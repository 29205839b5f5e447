package org.sluiceca.api.cli.ceremony.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import picocli.CommandLine.Option;

/** The ledger's database. */
public final class DatabaseOptions {

  @Option(names = "--database-url", required = true, description = "jdbc:postgresql://…")
  @SuppressWarnings("NullAway.Init") // picocli sets it, for it is required.
  private String url;

  @Option(names = "--database-user", defaultValue = "sluice", description = "The user.")
  @SuppressWarnings("NullAway.Init")
  private String user;

  @Option(names = "--database-password-file", required = true, description = "Its password.")
  @SuppressWarnings("NullAway.Init")
  private Path passwordFile;

  @Option(
      names = "--database-migration-user",
      description = "The owner of the tables, if it is another user than the one that serves.")
  private @Nullable String migrationUser;

  @Option(names = "--database-migration-password-file", description = "Its password.")
  private @Nullable Path migrationPasswordFile;

  /** Opens the database as it is: an auditor changes nothing, not even the schema. */
  public LedgerDatabase openUnchanged() {
    return new LedgerDatabase(
        new LedgerDatabase.Address(
            url,
            user,
            passwordFile,
            LedgerDatabase.Owner.of(migrationUser, migrationPasswordFile)));
  }

  /** Returns the user that serves. */
  public String user() {
    return user;
  }

  /** Opens the database, its schema brought up to date. Blocks until it is. */
  public LedgerDatabase open() {
    LedgerDatabase database = openUnchanged();
    database.migrate();
    return database;
  }
}
