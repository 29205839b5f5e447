package org.sluiceca.api.cli.setup.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Account;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Found;
import org.sluiceca.api.cli.setup.store.DatabaseCheck.Requirements;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;

class DatabaseCheckTest {

  private static final InstantSource NOW = InstantSource.system();
  private static final Duration SKEW = Duration.ofMinutes(1);

  private static final Account ACCOUNT = account(PostgresForTests.get().emptyDatabase());

  private static Account account(Address address) {
    return new Account(address.url(), address.user(), address.passwordFile());
  }

  private static void assertRefused(Requirements requirements, InstantSource clock, String text) {
    assertThatThrownBy(() -> new DatabaseCheck(requirements, clock).look(ACCOUNT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(text);
  }

  @Test
  void look_emptyDatabaseOfItsOwner_ownsAllAndLacksAll() {
    Found found = new DatabaseCheck(new Requirements(1, 1, SKEW), NOW).look(ACCOUNT);

    assertThat(found.schema().isOwner()).isTrue();
    assertThat(found.schema().pending()).isPositive();
    assertThat(found.schema().hasIssuers()).isFalse();
  }

  @Test
  void look_migratedDatabaseOfTheService_mayServe() {
    PostgresForTests server = PostgresForTests.get();

    Found found =
        new DatabaseCheck(new Requirements(1, 1, SKEW), NOW).look(account(server.freshDatabase()));

    assertThat(found.schema().pending()).isZero();
    assertThat(found.schema().mayServe()).isTrue();
  }

  @Test
  void look_serverThatIsNotFit_saysWhatToDo() {
    assertRefused(new Requirements(99, 1, SKEW), NOW, "a node needs 99 or later: upgrade it");
    assertRefused(
        new Requirements(1, 1_000_000, SKEW),
        NOW,
        "a node needs 1000000: set it in postgresql.conf and restart");
  }

  @Test
  void look_clocksThatDiffer_saysByHowMuchAndWhich() {
    Requirements requirements = new Requirements(1, 1, SKEW);
    assertRefused(
        requirements, NOW.instant().minusSeconds(3600), "s ahead of this machine's, and 60 s");
    assertRefused(
        requirements, NOW.instant().plusSeconds(3600), "s behind this machine's, and 60 s");
  }

  private static void assertRefused(Requirements requirements, Instant at, String text) {
    assertRefused(requirements, InstantSource.fixed(at), text);
  }

  /** The test's server may let everyone in. */
  @Test
  void reason_refusedLogin_namesRoleAndFile() {
    Account account = new Account("jdbc:postgresql://db/x?ssl=true", "serving", Path.of("/p"));

    assertThat(DatabaseCheck.reason(new SQLException("no", "28P01"), account))
        .contains("refuses user serving", "password in /p");
    assertThat(DatabaseCheck.reason(new SQLException("no\nmore", "28000"), account))
        .contains("pg_hba.conf", "(no)")
        .doesNotContain("more");
    assertThat(DatabaseCheck.reason(new SQLException("no", "53300"), account))
        .contains("raise max_connections");
    assertThat(DatabaseCheck.reason(new SQLException("no", "08006"), account))
        .contains("jdbc:postgresql://db/x does not answer")
        .doesNotContain("ssl=true");
    assertThat(DatabaseCheck.reason(new SQLException("odd"), account)).endsWith("x: odd");
  }
}
