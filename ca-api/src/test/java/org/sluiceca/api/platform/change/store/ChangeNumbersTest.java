package org.sluiceca.api.platform.change.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** What changes a topic's number, on a real PostgreSQL. */
class ChangeNumbersTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final String CRL =
      """
      INSERT INTO crl (issuer, shard, number, base_number, revision, is_scheduled, this_update,
        next_update, entries, signature_algorithm, tbs, node)
      VALUES ('a', 0, %d, %s, 0, true, now(), now() + interval '1 day', 0, 'x', '\\x00', 'n')
      """;

  private final Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final ChangeNumbers numbers = new ChangeNumbers(database);

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Set<Topic> changedBy(String... statements) {
    Map<Topic, Long> before = numbers.read(true);
    SERVER.execute(address, statements);
    Map<Topic, Long> after = numbers.read(true);
    return after.keySet().stream()
        .filter(topic -> !Objects.equals(after.get(topic), before.get(topic)))
        .collect(Collectors.toSet());
  }

  @Test
  void read_emptyDatabase_noWork() {
    assertThat(numbers.read(true).keySet()).isEqualTo(EnumSet.allOf(Topic.class));
    assertThat(numbers.read(true).values()).allMatch(number -> number == 0);
    assertThat(numbers.read(false).keySet())
        .isEqualTo(
            Arrays.stream(Topic.values()).filter(Topic::isQuick).collect(Collectors.toSet()));
  }

  @Test
  void read_quickTopics_areTheFirst() {
    List<Topic> quick = Arrays.stream(Topic.values()).filter(Topic::isQuick).toList();

    assertThat(Arrays.asList(Topic.values())).startsWith(quick.toArray(Topic[]::new));
  }

  @Test
  void read_revocationsAndScopes_news() {
    assertThat(changedBy("INSERT INTO crl_scope (issuer, shard) VALUES ('a', 0)"))
        .containsExactly(Topic.REVOCATIONS);
    assertThat(changedBy("UPDATE crl_scope SET revision = revision + 1"))
        .containsExactly(Topic.REVOCATIONS);
  }

  @Test
  void read_signaturesOfCrls_newsAndNoneByWhatIsDeleted() {
    SERVER.execute(address, "INSERT INTO crl_scope (issuer, shard) VALUES ('a', 0)");

    assertThat(changedBy(CRL.formatted(1, "NULL"))).isEmpty();
    assertThat(
            changedBy(
                "INSERT INTO crl_signature (issuer, shard, number, signature)"
                    + " VALUES ('a', 0, 1, '\\x00')"))
        .containsExactly(Topic.CRLS);
    assertThat(
            changedBy(
                CRL.formatted(2, "1"),
                "INSERT INTO delta_crl_signature (issuer, shard, number, signature)"
                    + " VALUES ('a', 0, 2, '\\x00')"))
        .containsExactly(Topic.CRLS);
    assertThat(
            changedBy(
                CRL.formatted(3, "NULL"),
                "INSERT INTO crl_signature (issuer, shard, number, signature)"
                    + " VALUES ('a', 0, 3, '\\x00')",
                "DELETE FROM crl WHERE number = 1"))
        .containsExactly(Topic.CRLS);
  }

  @Test
  void read_whatIsNotIndexed_work() {
    assertThat(changedBy("INSERT INTO certificate_feed (serials) VALUES ('\\x00')"))
        .containsExactly(Topic.UNINDEXED);
    assertThat(numbers.read(false).get(Topic.UNINDEXED)).isPositive();
    assertThat(changedBy("DELETE FROM certificate_feed")).containsExactly(Topic.UNINDEXED);
    assertThat(numbers.read(false).get(Topic.UNINDEXED)).isZero();
  }

  @Test
  void read_ordersInTheBacklog_work() {
    assertThat(
            changedBy(
                "INSERT INTO backlog_depth (requester, slot, orders, taken)"
                    + " VALUES ('r', 0, 3, 0), ('r', 1, -1, 0)"))
        .containsExactly(Topic.ORDERS);
    assertThat(numbers.read(true).get(Topic.ORDERS)).isEqualTo(2);
  }

  @Test
  void read_retiredIssuerAndItsCertificates_news() {
    assertThat(
            changedBy(
                """
                INSERT INTO issuer (name, subject_public_key_info, certificate, chain, cka_id,
                  key_algorithm, token_label, state)
                VALUES ('a', '\\x00', '\\x00', '{}', '\\x00', 'x', 'x', 'active')
                """))
        .containsExactly(Topic.ISSUERS);
    assertThat(
            changedBy(
                "INSERT INTO issuer_certificate (issuer, number, certificate, chain, added_by)"
                    + " VALUES ('a', 1, '\\x01', '{}', 'admin')"))
        .containsExactly(Topic.ISSUERS);
    assertThat(changedBy("UPDATE issuer SET state = 'retired'")).containsExactly(Topic.ISSUERS);
  }

  @Test
  void read_activations_news() {
    assertThat(
            changedBy(
                "INSERT INTO profile_activation (number, name, replaces, activated_by)"
                    + " VALUES (1, 'p', 0, 'admin')"))
        .containsExactly(Topic.PROFILES);
    assertThat(
            changedBy(
                "INSERT INTO endpoint_activation (number, name, replaces, activated_by)"
                    + " VALUES (1, 'e', 0, 'admin')"))
        .containsExactly(Topic.ENDPOINTS);
  }

  @Test
  void read_bulkRevocations_workFromStartToEnd() {
    String job = "'00000000-0000-0000-0000-000000000001'";
    assertThat(
            changedBy(
                "INSERT INTO revocation_job (id, confirmation, officer, requester, reason, as_of,"
                    + " selected) VALUES ("
                    + job
                    + ", repeat('0', 64), 'o', 'r', 1, now(), 0)"))
        .isEmpty();
    assertThat(changedBy("INSERT INTO revocation_job_start (job, owner) VALUES (" + job + ", 'n')"))
        .containsExactly(Topic.BULK_REVOCATIONS);
    assertThat(numbers.read(true).get(Topic.BULK_REVOCATIONS)).isOne();
    assertThat(
            changedBy("INSERT INTO revocation_job_end (job, outcome) VALUES (" + job + ", 'done')"))
        .containsExactly(Topic.BULK_REVOCATIONS);
    assertThat(numbers.read(true).get(Topic.BULK_REVOCATIONS)).isZero();
  }

  @Test
  void read_livePage_watchedForTwentySecondsAfterIt() {
    assertThat(changedBy("UPDATE console_watch SET looked_at = now() - interval '15 seconds'"))
        .containsExactly(Topic.WATCHED);
    assertThat(numbers.read(true).get(Topic.WATCHED)).isOne();
    assertThat(changedBy("UPDATE console_watch SET looked_at = now() - interval '21 seconds'"))
        .containsExactly(Topic.WATCHED);
    assertThat(numbers.read(true).get(Topic.WATCHED)).isZero();
  }

  @Test
  void read_proofs_workWhileOneIsToBeLookedFor() {
    String sixteen = "decode(repeat('00', 16), 'hex')";
    assertThat(
            changedBy(
                """
                INSERT INTO certificate_request (id, endpoint, requester, actor, profile,
                  identifiers, expires_at, has_proofs)
                VALUES (%1$s, 'e', 'r', %1$s, 'p', '{dns:a.test}', now() + interval '1 day', true)
                """
                    .formatted(sixteen),
                """
                INSERT INTO request_authorization (request, number, actor, endpoint, token)
                VALUES (%1$s, 0, %1$s, 'e', repeat('t', 22))
                """
                    .formatted(sixteen)))
        .isEmpty();
    assertThat(
            changedBy(
                "UPDATE request_authorization SET status = 'processing', method = 'http-01',"
                    + " thumbprint = 't', next_at = now()"))
        .containsExactly(Topic.PROOFS);
    assertThat(numbers.read(true).get(Topic.PROOFS)).isOne();
    assertThat(changedBy("UPDATE request_authorization SET status = 'valid'"))
        .containsExactly(Topic.PROOFS);
    assertThat(numbers.read(true).get(Topic.PROOFS)).isZero();
  }

  /** The number moves with the commit, which may come long after the number was assigned. */
  @Test
  void read_lateCommit_seenAfterIt() throws SQLException {
    SERVER.execute(address, "INSERT INTO crl_scope (issuer, shard) VALUES ('a', 0), ('b', 0)");
    Map<Topic, Long> before = numbers.read(false);
    try (Connection late = SERVER.connect(address);
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.executeUpdate("UPDATE crl_scope SET revision = 1 WHERE issuer = 'a'");
      statement.executeUpdate("INSERT INTO certificate_feed (serials) VALUES ('\\x01')");
      // A later one is first: its row has the higher id.
      SERVER.execute(
          address,
          "UPDATE crl_scope SET revision = 1 WHERE issuer = 'b'",
          "INSERT INTO certificate_feed (serials) VALUES ('\\x02')");
      Map<Topic, Long> first = numbers.read(false);
      assertThat(first).isNotEqualTo(before);

      late.commit();

      Map<Topic, Long> second = numbers.read(false);
      assertThat(second.get(Topic.REVOCATIONS)).isNotEqualTo(first.get(Topic.REVOCATIONS));
      assertThat(second.get(Topic.UNINDEXED)).isLessThan(first.get(Topic.UNINDEXED));
    }
  }

  @Test
  void read_databaseWithoutTables_unavailable() {
    try (LedgerDatabase empty = new LedgerDatabase(SERVER.emptyDatabase())) {
      assertThatExceptionOfType(LedgerUnavailable.class)
          .isThrownBy(() -> new ChangeNumbers(empty).read(true));
    }
  }

  /** Loops rest while the watch sees: a statement that waits must end long before their rest. */
  @Test
  void read_tableIsLocked_failsByTheServersLimit() throws SQLException {
    try (Connection other = SERVER.connect(address);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE crl_scope");

      assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(() -> numbers.read(false));

      other.rollback();
    }
    assertThat(numbers.read(false)).isNotEmpty();
  }

  /** Requests and loops that have every other connection do not blind the watch. */
  @Test
  void read_generalConnectionsInUse_answers() throws SQLException {
    try (Connection a = database.general().getConnection();
        Connection b = database.general().getConnection();
        Connection c = database.general().getConnection();
        Connection d = database.general().getConnection()) {
      assertThat(List.of(a, b, c, d)).doesNotHaveDuplicates();
      assertThat(numbers.read(true)).isNotEmpty();
    }
  }
}
