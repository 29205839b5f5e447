package org.sluiceca.api.cli.ceremony.schema;

import java.util.concurrent.Callable;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Brings the schema to this release's version and gives the serving user its rights, so that no
 * node needs the password of the owner of the tables.
 */
@Command(
    name = "migrate",
    description =
        "Brings the database's schema to this release's version with the owner's account"
            + " (--database-migration-user), and gives --database-user the rights of a node.")
public final class MigrateStep implements Callable<Integer> {

  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it.
  private CommandSpec spec;

  @Override
  public Integer call() {
    database.open().close();
    spec.commandLine()
        .getOut()
        .println("the schema is this release's; user " + database.user() + " can serve");
    return 0;
  }
}
