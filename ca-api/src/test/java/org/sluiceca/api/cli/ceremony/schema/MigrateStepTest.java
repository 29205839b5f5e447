package org.sluiceca.api.cli.ceremony.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import picocli.CommandLine;

/** What the owner of the tables runs before an upgrade. */
class MigrateStepTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final String LARGE_INDEXES =
      "SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid IN"
          + " (to_regclass('revocation_recorded'), to_regclass('revocation_compromised'))";

  /** A migration alone, as other commands do it, leaves them out. */
  @Test
  void call_schemaOfThisRelease_createsTheLargeIndexesAndSaysSo() {
    Address address = SERVER.emptyDatabase();
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
    }
    assertThat(SERVER.number(address, LARGE_INDEXES)).isZero();
    StringWriter out = new StringWriter();

    int status =
        new CommandLine(new MigrateStep())
            .setOut(new PrintWriter(out, true))
            .execute(
                "--database-url",
                address.url(),
                "--database-user",
                address.user(),
                "--database-password-file",
                address.passwordFile().toString());

    assertThat(status).isZero();
    assertThat(out.toString()).contains("can serve", "the indexes of large tables are there");
    assertThat(SERVER.number(address, LARGE_INDEXES)).isEqualTo(2);
  }
}
