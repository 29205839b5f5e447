package org.sluiceca.api.cli.setup.store;

import com.google.errorprone.annotations.FormatMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.postgresql.ds.PGSimpleDataSource;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.schema.SchemaMigration;

/**
 * Logs in with an account and compares the server with what a node needs. Each failure is one line
 * that says what to do. Blocks for a minute at most.
 */
public final class DatabaseCheck {

  /** The largest difference of clocks: a lease of one node must not look expired to another. */
  private static final Duration SKEW_MAX = Duration.ofSeconds(10);

  /** A week of expiry is a partition, and a search looks into each (docs/DATABASE.md). */
  private static final int LOCKS_MIN = 256;

  private static final int CONNECT_SECONDS = 5;
  private static final int LOGIN_SECONDS = 30;
  private static final int ANSWER_SECONDS = 30;

  private static final String LOOK =
      """
      SELECT r.rolsuper, pg_has_role('pg_read_all_stats', 'USAGE') AS sees_sessions,
        current_setting('max_locks_per_transaction')::integer AS locks,
        current_setting('max_connections')::integer AS connections, clock_timestamp() AS now
      FROM pg_roles r WHERE r.rolname = current_user
      """;

  /**
   * What a server must be.
   *
   * @param versionMin PostgreSQL's major version
   * @param locksMin {@code max_locks_per_transaction}
   * @param skewMax how far its clock may be from this machine's
   */
  public record Requirements(int versionMin, int locksMin, Duration skewMax) {

    /** What a node needs. */
    public static final Requirements OF_A_NODE =
        new Requirements(LedgerDatabase.VERSION_MIN, LOCKS_MIN, SKEW_MAX);
  }

  /**
   * An account of the database.
   *
   * @param url a {@code jdbc:postgresql:} URL
   * @param passwordFile holds the password, one line
   */
  public record Account(String url, String user, Path passwordFile) {

    /** Returns the URL without its parameters. */
    String place() {
      int query = url.indexOf('?');
      return query < 0 ? url : url.substring(0, query);
    }
  }

  /**
   * What the account finds.
   *
   * @param seesSessions whether it has pg_read_all_stats, which recovery needs
   * @param connections the server's max_connections
   */
  public record Found(
      SchemaMigration.State schema, boolean isSuperuser, boolean seesSessions, int connections) {}

  private final Requirements requirements;
  private final InstantSource clock;

  /** Compares with these requirements, and the server's clock with {@code clock}. */
  public DatabaseCheck(Requirements requirements, InstantSource clock) {
    this.requirements = requirements;
    this.clock = clock;
  }

  /**
   * Logs in once and looks; changes nothing.
   *
   * @throws IllegalStateException with one line, if the database cannot be reached, refuses the
   *     account or is not fit for a node
   */
  public Found look(Account account) {
    PGSimpleDataSource source = source(account);
    try (Connection connection = source.getConnection()) {
      int version = connection.getMetaData().getDatabaseMajorVersion();
      if (version < requirements.versionMin()) {
        throw failure(
            "the database is PostgreSQL %d, and a node needs %d or later: upgrade it, or name"
                + " another one",
            version, requirements.versionMin());
      }
      return look(connection, new SchemaMigration(source, account.user()).state(connection));
    } catch (SQLException e) {
      throw new IllegalStateException(reason(e, account), e);
    }
  }

  private Found look(Connection connection, SchemaMigration.State schema) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOOK)) {
      Instant before = clock.instant();
      try (ResultSet row = statement.executeQuery()) {
        Instant after = clock.instant();
        if (!row.next()) {
          throw failure("the database does not show its own roles to this account");
        }
        requireClock(row.getObject("now", OffsetDateTime.class).toInstant(), before, after);
        requireLocks(row.getInt("locks"));
        return new Found(
            schema,
            row.getBoolean("rolsuper"),
            row.getBoolean("sees_sessions"),
            row.getInt("connections"));
      }
    }
  }

  private void requireClock(Instant database, Instant before, Instant after) {
    // The server's time was read at some moment between these two.
    Duration ahead = Duration.between(after, database);
    Duration behind = Duration.between(database, before);
    Duration skew = ahead.compareTo(behind) > 0 ? ahead : behind;
    if (skew.compareTo(requirements.skewMax()) > 0) {
      throw failure(
          "the database's clock is %d s %s this machine's, and %d s are allowed: set both by NTP,"
              + " then run setup again",
          skew.toSeconds(),
          ahead.compareTo(behind) > 0 ? "ahead of" : "behind",
          requirements.skewMax().toSeconds());
    }
  }

  private void requireLocks(int locks) {
    if (locks < requirements.locksMin()) {
      throw failure(
          "the database has max_locks_per_transaction = %d, and a node needs %d: set it in"
              + " postgresql.conf and restart PostgreSQL",
          locks, requirements.locksMin());
    }
  }

  private static PGSimpleDataSource source(Account account) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    try {
      source.setUrl(account.url());
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "'" + account.place() + "' is no URL of a database: jdbc:postgresql://HOST/NAME", e);
    }
    source.setUser(account.user());
    source.setPassword(password(account.passwordFile()));
    source.setApplicationName("sluice setup");
    source.setConnectTimeout(CONNECT_SECONDS);
    source.setLoginTimeout(LOGIN_SECONDS);
    source.setSocketTimeout(ANSWER_SECONDS);
    return source;
  }

  private static String password(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the password file " + file, e);
    }
  }

  /** One line for what the driver or the server says (PostgreSQL, appendix A). */
  static String reason(SQLException e, Account account) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    return switch (state) {
      case "28P01" ->
          text(
              "the database refuses user %s: there is no such role, or the password in %s is not"
                  + " its password",
              account.user(), account.passwordFile());
      case "28000" ->
          text(
              "the database refuses user %s from this machine: pg_hba.conf has to let it in, and the"
                  + " role must exist and may log in (%s)",
              account.user(), said);
      case "3D000" ->
          text(
              "%s: there is no such database. CREATE DATABASE NAME OWNER ROLE makes it"
                  + " (docs/DATABASE.md#roles)",
              account.place());
      case "53300" -> text("the database has no connection left (%s): raise max_connections", said);
      default ->
          state.startsWith("08")
              ? text(
                  "the database at %s does not answer (%s): check host and port, that PostgreSQL"
                      + " runs and listens there, and the firewall",
                  account.place(), said)
              : text("the database at %s: %s", account.place(), said);
    };
  }

  @FormatMethod
  private static IllegalStateException failure(String pattern, Object... values) {
    return new IllegalStateException(text(pattern, values));
  }

  @FormatMethod
  private static String text(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
