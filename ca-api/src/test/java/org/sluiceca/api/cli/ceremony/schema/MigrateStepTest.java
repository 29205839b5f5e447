package org.sluiceca.api.cli.ceremony.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.cli.ceremony.CeremonyCommand;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;

/** What the owner of the tables runs before an upgrade. */
class MigrateStepTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final String LARGE_INDEXES =
      "SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid IN"
          + " (to_regclass('revocation_recorded'), to_regclass('revocation_compromised'),"
          + " to_regclass('intent_recorded'))";

  /** A migration alone, as other commands do it, leaves them out. */
  @Test
  void call_schemaOfThisRelease_createsTheLargeIndexesAndSaysSo() {
    Address address = SERVER.emptyDatabase();
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
    }
    assertThat(SERVER.number(address, LARGE_INDEXES)).isZero();
    StringWriter out = new StringWriter();

    assertThat(migrate(address, out, out)).isZero();

    assertThat(out.toString()).contains("can serve", "the indexes of large tables are there");
    assertThat(SERVER.number(address, LARGE_INDEXES)).isEqualTo(3);
  }

  /** As another node leaves them while it creates them: the lock for it is taken. */
  @Test
  void call_anotherCreatesTheLargeIndexes_namesThoseThatAreMissingAndFails() throws Exception {
    Address address = SERVER.emptyDatabase();
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
    }
    try (Connection other =
            DriverManager.getConnection(
                address.url(), address.user(), Files.readString(address.passwordFile()).strip());
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + 0x51_0070 + ")");

      assertThat(migrate(address, out, errors)).isOne();

      assertThat(out.toString()).contains("can serve").doesNotContain("tables are there");
      assertThat(errors.toString())
          .startsWith("ceremony: ")
          .contains(
              "revocation_recorded (",
              "revocation_compromised (",
              "intent_recorded (",
              "Run this again");
    }
    assertThat(migrate(address, out, errors)).isZero();
  }

  /** As before the start of a node, which does not wait for hours. */
  @Test
  void migrate_schemaOnly_leavesTheIndexes() {
    Address address = SERVER.emptyDatabase();
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();

    assertThat(migrate(address, out, errors, "--schema-only")).isZero();

    assertThat(out.toString()).contains("can serve").doesNotContain("indexes");
    assertThat(errors.toString()).isEmpty();
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      assertThat(database.largeIndexes().missing()).isNotEmpty();
    }
  }

  private static int migrate(
      Address address, StringWriter out, StringWriter errors, String... more) {
    return CeremonyCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(errors, true))
        .execute(
            Stream.concat(
                    Stream.of(
                        "migrate",
                        "--database-url",
                        address.url(),
                        "--database-user",
                        address.user(),
                        "--database-password-file",
                        address.passwordFile().toString()),
                    Stream.of(more))
                .toArray(String[]::new));
  }
}
