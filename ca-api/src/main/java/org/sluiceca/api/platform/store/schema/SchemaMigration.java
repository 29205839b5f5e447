package org.sluiceca.api.platform.store.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.postgresql.util.PSQLException;

/**
 * Brings the schema to this program's version and gives the serving role its rights, with an
 * account that owns the tables; with any other account it checks that both were done. Indexes of
 * large tables are created afterwards ({@link LargeIndexes}). Several nodes may do so at once.
 */
public final class SchemaMigration {

  private static final String OWNS =
      """
      SELECT CASE WHEN to_regclass('flyway_schema_history') IS NULL
        THEN has_schema_privilege(current_schema(), 'CREATE')
        ELSE pg_has_role(current_user, (SELECT c.relowner FROM pg_class c
          WHERE c.oid = to_regclass('flyway_schema_history')), 'USAGE') END
      """;

  private static final String GRANT = "SELECT grant_role(?::name, 'service')";

  /** Without either the node would run, and fail later: the second one silently, in recovery. */
  private static final String MAY_SERVE =
      """
      SELECT has_table_privilege('intent', 'INSERT')
        AND has_function_privilege('ensure_expiry_weeks(integer[])', 'EXECUTE')
        AND pg_has_role('pg_read_all_stats', 'USAGE')
      """;

  /** Another statement than the next one, which cannot be planned without the table. */
  private static final String MAY_READ_ISSUERS =
      "SELECT has_table_privilege(to_regclass('issuer'), 'SELECT')";

  private static final String HAS_ISSUERS = "SELECT EXISTS (SELECT FROM issuer)";

  private final DataSource account;
  private final String service;

  /**
   * Migrates with {@code account}.
   *
   * @param service the role that nodes serve with; it gets its rights if {@code account} is another
   */
  public SchemaMigration(DataSource account, String service) {
    this.account = account;
    this.service = service;
  }

  /**
   * What an account finds.
   *
   * @param isOwner whether it owns the tables, or may make them where there are none
   * @param pending migrations of this release that are missing
   * @param mayServe whether nothing is missing and it has the rights of a node
   * @param hasIssuers whether issuers are registered, as far as it may read them
   */
  public record State(boolean isOwner, int pending, boolean mayServe, boolean hasIssuers) {}

  /**
   * Looks, and changes nothing. Blocks for a few statements.
   *
   * @param connection one of the account's, with auto-commit
   * @throws SQLException if the database does not answer
   * @throws IllegalStateException if the schema is not one of this product's
   */
  public State state(Connection connection) throws SQLException {
    try {
      int pending = flyway().info().pending().length;
      return new State(
          isTrue(connection, OWNS),
          pending,
          pending == 0 && isTrue(connection, MAY_SERVE),
          isTrue(connection, MAY_READ_ISSUERS) && isTrue(connection, HAS_ISSUERS));
    } catch (FlywayException e) {
      throw new IllegalStateException("the database's schema cannot be read", e);
    }
  }

  /**
   * Migrates, or checks. Blocks until done.
   *
   * @param connection one of the account's, with auto-commit
   * @throws SQLException if the database does not answer
   * @throws IllegalStateException if the schema cannot be migrated, has to be by its owner, or the
   *     serving role lacks rights or cannot be given them
   */
  public void run(Connection connection) throws SQLException {
    try {
      if (!isTrue(connection, OWNS)) {
        requireMigrated(connection);
        return;
      }
      flyway().migrate();
    } catch (FlywayException e) {
      throw new IllegalStateException("the database's schema cannot be migrated", e);
    }
    if (!service.equals(connection.getMetaData().getUserName())) {
      grant(connection);
    }
  }

  /** Before its first grant a role cannot read what was migrated. */
  private MigrationInfo[] pending(String user) {
    try {
      return flyway().info().pending();
    } catch (FlywayException e) {
      throw new IllegalStateException(
          "user "
              + user
              + " cannot read the database's schema. Run first, with the owner's account, which"
              + " grants it: ./sluice ceremony migrate",
          e);
    }
  }

  private void requireMigrated(Connection connection) throws SQLException {
    String user = connection.getMetaData().getUserName();
    MigrationInfo[] pending = pending(user);
    if (pending.length > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the database's schema lacks %d migrations of this release, from version %s on, and"
                  + " user %s does not own it. Run first, with the owner's account:"
                  + " ./sluice ceremony migrate",
              pending.length,
              pending[0].getVersion(),
              user));
    }
    if (!isTrue(connection, MAY_SERVE)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "user %s lacks rights that a node needs. Run as the owner of the tables: SELECT"
                  + " grant_role('%s', 'service')",
              user,
              user));
    }
  }

  private void grant(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(GRANT)) {
      statement.setString(1, service);
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(
          "user " + service + " cannot be given its rights: " + reason(e), e);
    }
  }

  /** One line: grant_role states what is wrong with the role, and in its hint what to do. */
  private static String reason(SQLException e) {
    if (e instanceof PSQLException refused && refused.getServerErrorMessage() != null) {
      String hint = refused.getServerErrorMessage().getHint();
      String message = String.valueOf(refused.getServerErrorMessage().getMessage());
      return hint == null ? message : message + ". " + hint;
    }
    return String.valueOf(e.getMessage());
  }

  private Flyway flyway() {
    return Flyway.configure(SchemaMigration.class.getClassLoader())
        .dataSource(account)
        .locations("classpath:db/migration")
        .baselineOnMigrate(false)
        .validateOnMigrate(true)
        .cleanDisabled(true)
        .load();
  }

  private static boolean isTrue(Connection connection, String question) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(question);
        ResultSet answer = statement.executeQuery()) {
      return answer.next() && answer.getBoolean(1);
    }
  }
}
