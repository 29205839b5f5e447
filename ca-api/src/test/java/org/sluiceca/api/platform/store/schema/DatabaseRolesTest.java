package org.sluiceca.api.platform.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;

/**
 * What the roles of nodes and auditors may do, and what they may not. Every other test of the
 * ledger runs with the rights of a node, so a right that the code needs and the role lacks fails
 * there.
 */
class DatabaseRolesTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final String NOT_PERMITTED = "42501";

  private static final String THIS_WEEK =
      "(extract(epoch FROM now())::bigint / (7 * 24 * 60 * 60))::integer";

  private static final Pattern STATEMENT =
      Pattern.compile("(INSERT INTO|DELETE FROM|UPDATE)\\s+([a-z][a-z_]+)");

  private final Address owner = SERVER.emptyDatabase();
  private final Address service = SERVER.service(owner);

  @BeforeEach
  void migrateAsOwner() {
    assumeTrue(SERVER.hasRoles(), "an external server has the roles that its administrator made");
    try (LedgerDatabase database = new LedgerDatabase(SERVER.serviceMigratedByOwner(owner))) {
      database.migrate();
    }
  }

  @Test
  void everyTable_hasItsGrantsListed() throws SQLException {
    assertThat(
            strings(
                owner,
                """
                SELECT c.relname FROM pg_class c
                WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p')
                  AND NOT c.relispartition
                """))
        .containsExactlyInAnyOrderElementsOf(strings(owner, "SELECT relation FROM role_grants()"));
  }

  /** A right that no statement uses is one too many; one that a statement lacks is an outage. */
  @Test
  void serviceGrants_areThoseThatTheCodeUses() throws Exception {
    Set<String> used = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        collect(Files.readString(file), used);
      }
    }
    Set<String> known = new TreeSet<>(strings(owner, "SELECT relation FROM role_grants()"));

    assertThat(granted("INSERT", known)).isEqualTo(tables("INSERT INTO", used, known));
    assertThat(granted("DELETE", known)).isEqualTo(tables("DELETE FROM", used, known));
    // UPDATE is needed by FOR UPDATE and ON CONFLICT as well, whose table stands elsewhere.
    assertThat(granted("UPDATE", known)).containsAll(tables("UPDATE", used, known));
  }

  private static void collect(String source, Set<String> used) {
    Matcher matcher = STATEMENT.matcher(source);
    while (matcher.find()) {
      used.add(matcher.group(1) + " " + matcher.group(2));
    }
    // Statements whose table is a parameter of the text.
    if (source.contains("INSERT INTO %s")) {
      for (String table : List.of("crl_signature", "delta_crl_signature")) {
        if (source.contains('"' + table + '"')) {
          used.add("INSERT INTO " + table);
        }
      }
    }
    // By the triggers on outcome and revocation, with the rights of the role that records them.
    used.add("INSERT INTO certificate_feed");
    used.add("INSERT INTO compromised_key");
    used.add("INSERT INTO compromised_key_claim");
  }

  private static Set<String> tables(String verb, Set<String> used, Set<String> known) {
    Set<String> found = new TreeSet<>();
    for (String table : known) {
      if (used.contains(verb + " " + table)) {
        found.add(table);
      }
    }
    return found;
  }

  private Set<String> granted(String privilege, Set<String> known) throws SQLException {
    Set<String> found = new TreeSet<>();
    for (String table : known) {
      String question =
          String.format(
              Locale.ROOT,
              // Some tables may be changed in one column alone.
              "SELECT 'yes' WHERE has_%s_privilege('%s', '%s', '%s')",
              privilege.equals("UPDATE") ? "any_column" : "table",
              service.user(),
              table,
              privilege);
      if (!strings(owner, question).isEmpty()) {
        found.add(table);
      }
    }
    return found;
  }

  @Test
  void service_revocationsAndRetirements_cannotBeTakenBack() {
    execute(
        owner,
        """
        INSERT INTO credential (id, requester, kind, sha256, roles, profiles, expires_at, revoked_at)
        VALUES (gen_random_uuid(), 'a', 'token', sha256('a'), '{requester}', '{}', now(), now())
        """);

    assertRefused(service, "UPDATE credential SET roles = '{admin}'");
    assertRefused(service, "UPDATE credential SET expires_at = now() + interval '1 day'");
    assertRefused(service, "UPDATE issuer SET token_label = 'x'");
    assertFails(service, "UPDATE credential SET revoked_at = NULL", "stays so");
  }

  /** A role that had more before has the listed rights afterwards, and no others. */
  @Test
  void grantRole_roleHadMore_losesIt() throws SQLException {
    execute(
        owner,
        "SELECT ensure_expiry_weeks(ARRAY[3000])",
        "CREATE TABLE not_listed (a integer)",
        "GRANT ALL ON not_listed, outcome_w3000 TO " + service.user(),
        "GRANT UPDATE (roles) ON credential TO " + service.user(),
        "GRANT EXECUTE ON FUNCTION role_grants() TO " + service.user(),
        "SELECT grant_role('" + service.user() + "', 'service')");

    assertRefused(service, "DELETE FROM not_listed");
    assertRefused(service, "DELETE FROM outcome_w3000");
    assertRefused(service, "UPDATE credential SET roles = '{}'");
    assertRefused(service, "SELECT role_grants()");
    assertThat(strings(service, "SELECT name FROM issuer")).isEmpty();
    assertFails(owner, "SELECT grant_role('" + service.user() + "', NULL)", "service and reading");
  }

  @Test
  void service_appendOnlyTables_cannotBeChangedOrEmptied() {
    for (String table :
        List.of(
            "audit_event",
            "audit_checkpoint",
            "audit_signature",
            "audit_key",
            "intent",
            "outcome",
            "revocation",
            "issuing_key",
            "issuer_certificate",
            "approval",
            "approval_decision",
            "approval_end",
            "profile_edition",
            "profile_activation",
            "endpoint_version",
            "endpoint_activation")) {
      assertRefused(service, "DELETE FROM " + table);
      assertRefused(service, "TRUNCATE " + table);
      assertRefused(service, "DROP TABLE " + table);
      assertRefused(service, "ALTER TABLE " + table + " DISABLE TRIGGER ALL");
    }
    assertRefused(service, "UPDATE audit_event SET actor = 'x'");
    assertRefused(service, "UPDATE outcome SET owner = 'x'");
    assertRefused(service, "UPDATE revocation SET requester = 'x'");
    assertRefused(service, "CREATE TABLE own (a integer)");
    assertRefused(service, "SELECT grant_role('" + service.user() + "', 'service')");
  }

  @Test
  void service_partitions_madeAndDroppedByFunctionsThatCheck() throws SQLException {
    execute(service, "SELECT ensure_expiry_weeks(ARRAY[2000, 4000])");
    assertThat(strings(owner, "SELECT 'yes' WHERE to_regclass('outcome_w4000') IS NOT NULL"))
        .hasSize(1);
    assertRefused(service, "DROP TABLE outcome_w4000");

    execute(service, "SELECT drop_index_week('certificate_name', 2001)");
    assertThat(strings(owner, "SELECT 'yes' WHERE to_regclass('certificate_name_w2000') IS NULL"))
        .hasSize(1);

    assertFails(service, "SELECT drop_index_week('outcome', 2001)", "not part of the index");
    assertFails(service, "SELECT drop_index_week('certificate_name', NULL)", "not over");
    assertFails(
        service, "SELECT drop_index_week('certificate_name', " + THIS_WEEK + " + 1)", "not over");
    assertFails(service, "SELECT ensure_expiry_weeks(ARRAY[-1])", "0 to 65535");
    assertFails(service, "SELECT ensure_expiry_weeks(ARRAY[65536])", "0 to 65535");
    assertFails(service, "SELECT ensure_expiry_weeks(ARRAY[NULL]::integer[])", "0 to 65535");
  }

  /** Else the owner would take the temporary table for the partition, and make none. */
  @Test
  void service_temporaryTableOfThatName_standsInForNothing() throws SQLException {
    try (Connection connection = connect(service);
        Statement statement = connection.createStatement()) {
      for (String parent :
          List.of("outcome", "revocation", "certificate_index", "certificate_name")) {
        statement.execute("CREATE TEMPORARY TABLE " + parent + "_w4001 (a integer)");
        statement.execute("CREATE TEMPORARY TABLE " + parent + " (expiry_week integer)");
      }
      statement.execute("SELECT ensure_expiry_weeks(ARRAY[4002])");
    }
    assertThat(
            strings(
                owner,
                "SELECT 'yes' FROM pg_inherits WHERE inhparent = 'public.outcome'::regclass"
                    + " AND inhrelid = 'public.outcome_w4002'::regclass"))
        .hasSize(1);
  }

  @Test
  void reading_seesReportsAndNoHashOfAToken_changesNothing() throws SQLException {
    Address reading = SERVER.reading(owner);
    assertRefused(reading, "SELECT count(*) FROM outcome");
    execute(owner, "SELECT grant_role('" + reading.user() + "', 'reading')");

    execute(reading, "SELECT count(*) FROM outcome");
    execute(reading, "SELECT count(*) FROM audit_event");
    execute(reading, "SELECT id, requester, revoked_at FROM credential");
    assertRefused(reading, "SELECT sha256 FROM credential");
    assertRefused(reading, "INSERT INTO claim SELECT 1, '\\x00', 1, 'a', now()");
    assertRefused(reading, "UPDATE credential SET revoked_at = NULL");
    assertRefused(reading, "SELECT ensure_expiry_weeks(ARRAY[4000])");
    assertRefused(reading, "SELECT drop_index_week('certificate_name', 1)");
  }

  @Test
  void grantRole_roleThatCouldHelpItself_refused() {
    assertFails(
        owner,
        "SELECT grant_role((SELECT rolname FROM pg_roles WHERE rolsuper LIMIT 1), 'service')",
        "superuser");
    assertFails(
        owner, "SELECT grant_role('" + owner.user() + "', 'service')", "member of the owner");
    assertFails(
        owner,
        "SELECT grant_role('" + SERVER.reading(owner).user() + "', 'service')",
        "do not see each other's transactions");
    assertFails(owner, "SELECT grant_role('" + service.user() + "', 'all')", "service and reading");
  }

  @Test
  void grantRole_again_takesWhatWasAddedByHand() throws SQLException {
    execute(
        owner,
        "GRANT DELETE ON audit_event TO " + service.user(),
        "SELECT grant_role('" + service.user() + "', 'service')");

    assertRefused(service, "DELETE FROM audit_event");
  }

  @Test
  void migrate_asService_checksOnly() {
    try (LedgerDatabase database = new LedgerDatabase(service)) {
      database.migrate();
    }
  }

  @Test
  void migrate_asServiceBeforeTheOwner_saysWhoMustDoWhat() {
    try (LedgerDatabase database = new LedgerDatabase(SERVER.service(SERVER.emptyDatabase()))) {
      assertThatIllegalStateException()
          .isThrownBy(database::migrate)
          .withMessageContaining("migrations of this release")
          .withMessageContaining("./sluice ceremony migrate");
    }
  }

  @Test
  void migrate_asRoleWithoutRights_saysHowToGrantThem() {
    // It may read the history of migrations, and nothing else.
    Address reading = SERVER.reading(owner);
    execute(owner, "GRANT SELECT ON flyway_schema_history TO " + reading.user());
    try (LedgerDatabase database = new LedgerDatabase(reading)) {
      assertThatIllegalStateException()
          .isThrownBy(database::migrate)
          .withMessageContaining("grant_role('" + reading.user() + "', 'service')");
    }
  }

  private static void assertRefused(Address address, String sql) {
    assertThatExceptionOfType(SQLException.class)
        .as(sql)
        .isThrownBy(() -> run(address, sql))
        .extracting(SQLException::getSQLState)
        .isEqualTo(NOT_PERMITTED);
  }

  private static void assertFails(Address address, String sql, String message) {
    assertThatExceptionOfType(SQLException.class)
        .as(sql)
        .isThrownBy(() -> run(address, sql))
        .withMessageContaining(message);
  }

  private static void execute(Address address, String... statements) {
    try {
      run(address, statements);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void run(Address address, String... statements) throws SQLException {
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static List<String> strings(Address address, String query) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        found.add(row.getString(1));
      }
    }
    return found;
  }

  private static Connection connect(Address address) throws SQLException {
    try {
      return DriverManager.getConnection(
          address.url(), address.user(), Files.readString(address.passwordFile()).strip());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
