package org.sluiceca.api.cli.ceremony.schema;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.platform.store.LedgerDatabase;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Brings the schema to this release's version, gives the serving user its rights, and creates the
 * indexes of large tables, so that no node needs the password of the owner of the tables.
 */
@Command(
    name = "migrate",
    description =
        "Brings the database's schema to this release's version with the owner's account"
            + " (--database-migration-user), gives --database-user the rights of a node, and"
            + " creates the indexes of large tables. Exit code 1 if not all of these are there at"
            + " the end: nodes may serve meanwhile.")
public final class MigrateStep implements Callable<Integer> {

  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--schema-only",
      description = "Leaves out the indexes, which may take hours: another run creates them.")
  private boolean isSchemaOnly;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it.
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (LedgerDatabase open = database.open()) {
      out.println("the schema is this release's; user " + database.user() + " can serve");
      if (isSchemaOnly) {
        return 0;
      }
      out.println(
          "creating the indexes of large tables that are missing; nodes may serve meanwhile");
      out.flush();
      if (!open.largeIndexes().create()) {
        List<String> missing = open.largeIndexes().missing();
        if (!missing.isEmpty()) {
          throw new IllegalStateException(
              "indexes of large tables are missing: "
                  + String.join(", ", missing)
                  + ". Run this again, as the owner of the tables, when no node creates them");
        }
      }
      out.println("the indexes of large tables are there");
    }
    return 0;
  }
}
