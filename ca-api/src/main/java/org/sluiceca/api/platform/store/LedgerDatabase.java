package org.sluiceca.api.platform.store;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.sluiceca.api.platform.store.schema.LargeIndexes;
import org.sluiceca.api.platform.store.schema.SchemaMigration;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/**
 * The connections to the ledger's PostgreSQL and the version of its schema. Thread-safe; opening
 * does not wait for the database; {@link #migrate} does, and a node asks for it before it starts.
 */
public final class LedgerDatabase implements AutoCloseable {

  /**
   * Where the database is.
   *
   * @param url a {@code jdbc:postgresql:} URL
   * @param passwordFile holds the password, one line
   * @param migration the owner of the tables, who changes the schema; empty if {@code user} owns
   *     them, or if the schema is migrated before nodes start
   */
  public record Address(String url, String user, Path passwordFile, Optional<Owner> migration) {

    public Address {
      if (!url.startsWith("jdbc:postgresql:")) {
        throw new IllegalArgumentException("not a jdbc:postgresql: URL: " + url);
      }
    }

    /** Without an account for migrations. */
    public Address(String url, String user, Path passwordFile) {
      this(url, user, passwordFile, Optional.empty());
    }
  }

  /**
   * The account that owns the tables.
   *
   * @param passwordFile holds the password, one line
   */
  public record Owner(String user, Path passwordFile) {

    /**
     * Returns the account that two settings name; empty if both are absent.
     *
     * @throws IllegalArgumentException if one is there without the other
     */
    public static Optional<Owner> of(@Nullable String user, @Nullable Path passwordFile) {
      if ((user == null) != (passwordFile == null)) {
        throw new IllegalArgumentException(
            "the database's migration user and its password file go together:"
                + " give both, or neither");
      }
      return user == null || passwordFile == null
          ? Optional.empty()
          : Optional.of(new Owner(user, passwordFile));
    }
  }

  /**
   * Threads of the ledger that write, each with a connection. One keeps up with any HSM; a second
   * would help only where a commit waits for a distant replica.
   */
  public static final int WRITERS = 1;

  /**
   * Connections for everything but recording: look-ups, recovery, credentials. They answer in under
   * 1 ms from memory, so 4 carry several thousand a second; a node's whole share is 16.
   */
  private static final int GENERAL_CONNECTIONS = 4;

  /** The lease loop is one thread, and comes back in a second if it has to. */
  private static final int LEASING_CONNECTIONS = 1;

  /** The change watch is one thread; other loops that wait for a connection do not blind it. */
  private static final int WATCHING_CONNECTIONS = 1;

  /** For the audit trail's writer and for checkpoints: neither waits for the ledger's load. */
  private static final int AUDITING_CONNECTIONS = 2;

  /**
   * The indexer, and two searches at once: none of them waits for the ledger's, nor they for it.
   */
  private static final int FINDING_CONNECTIONS = 3;

  /**
   * Each search reads a page in the order of an index and stops. Sorting, or a bitmap, would read
   * all that matches first, which a planner may take for cheaper than it is.
   */
  private static final String IN_INDEX_ORDER =
      " -c enable_sort=off -c enable_bitmapscan=off -c max_parallel_workers_per_gather=0";

  /** transaction_timeout, on which recovery stands, came with PostgreSQL 17. */
  public static final int VERSION_MIN = 17;

  /** What a server answers to a setting that it does not know, as an older one to that. */
  private static final String UNKNOWN_SETTING = "42704";

  private static final String TOO_OLD =
      "the database is older than PostgreSQL " + VERSION_MIN + ": upgrade it, or name another";

  /** How long a starting node lets another one finish the migration. */
  private static final Duration MIGRATION_LOCK_WAIT = Duration.ofSeconds(60);

  private static final Map<String, String> MIGRATION_SETTINGS =
      Map.of("lock_timeout", Long.toString(MIGRATION_LOCK_WAIT.toMillis()));

  private final DataSource migrating;
  private final SchemaMigration migration;
  private final LargeIndexes largeIndexes;
  private final ConnectionLimits limits;
  private final HikariDataSource writing;
  private final HikariDataSource general;
  private final HikariDataSource leasing;
  private final HikariDataSource watching;
  private final HikariDataSource auditing;
  private final HikariDataSource finding;
  private final DataSource reading;
  private final PartitionKeeper partitions;
  private final LedgerSql sql;

  /**
   * Opens the pools, with one connection for each of the group commit's writers.
   *
   * @throws IllegalArgumentException if the password file cannot be read
   */
  public LedgerDatabase(Address address) {
    this(address, ConnectionLimits.STANDARD);
  }

  public LedgerDatabase(Address address, ConnectionLimits limits) {
    ConnectionSource serving =
        ConnectionSource.of(address.url(), address.user(), address.passwordFile());
    PGSimpleDataSource patient =
        address
            .migration()
            .map(owner -> ConnectionSource.of(address.url(), owner.user(), owner.passwordFile()))
            .orElse(serving)
            .patient(MIGRATION_LOCK_WAIT);
    this.limits = limits;
    this.migrating = patient;
    this.migration = new SchemaMigration(patient, address.user());
    this.largeIndexes = new LargeIndexes(patient);
    // One more than the writers, so that a writer need not wait while a dead one is replaced.
    int writers = WRITERS + 1;
    this.writing = ConnectionSource.pool("ledger-writing", serving.limited(limits), writers, false);
    this.general =
        ConnectionSource.pool("ledger-general", serving.limited(limits), GENERAL_CONNECTIONS, true);
    PGSimpleDataSource shortly = serving.limited(ConnectionLimits.LEASING);
    this.leasing = ConnectionSource.pool("leasing", shortly, LEASING_CONNECTIONS, true);
    this.watching =
        ConnectionSource.pool(
            "watching", serving.limited(ConnectionLimits.WATCHING), WATCHING_CONNECTIONS, true);
    this.auditing =
        ConnectionSource.pool("auditing", serving.limited(limits), AUDITING_CONNECTIONS, false);
    PGSimpleDataSource ordered = serving.limited(limits);
    ordered.setOptions(limits.serverOptions() + IN_INDEX_ORDER);
    this.finding = ConnectionSource.pool("finding", ordered, FINDING_CONNECTIONS, false);
    this.reading = serving.unlimited();
    this.partitions = new PartitionKeeper(general);
    this.sql = new LedgerSql(general);
  }

  /**
   * Brings the schema to this program's version, if this account or the one for migrations owns the
   * tables, and creates partitions ahead, then waits for the connections that a start needs.
   * Several nodes may do so at once. Blocks until done; a server that is slow to log in is waited
   * for, one that refuses is not.
   *
   * @throws LedgerUnavailable if the database does not answer
   * @throws IllegalStateException if it is too old, its schema is not one of this program's, this
   *     account may not change it and it has to be changed, or a pooler drops the settings of
   *     connections
   */
  public void migrate() {
    try (Connection connection = connect()) {
      ConnectionSource.requireSettings(connection, MIGRATION_SETTINGS);
      migration.run(connection);
      PartitionKeeper.createAhead(connection);
      ConnectionSource.awaitFirst(general);
      ConnectionSource.awaitFirst(auditing);
      try (Connection first = general.getConnection()) {
        ConnectionSource.requireSettings(first, limits.serverSettings());
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the database does not answer", e);
    }
  }

  private Connection connect() throws SQLException {
    try {
      return requireVersion(migrating.getConnection());
    } catch (SQLException e) {
      if (UNKNOWN_SETTING.equals(e.getSQLState())) {
        throw new IllegalStateException(TOO_OLD, e);
      }
      throw e;
    }
  }

  /** Closes a connection that it does not return. */
  private static Connection requireVersion(Connection connection) throws SQLException {
    boolean isKept = false;
    try {
      isKept = connection.getMetaData().getDatabaseMajorVersion() >= VERSION_MIN;
      if (!isKept) {
        throw new IllegalStateException(TOO_OLD);
      }
      return connection;
    } finally {
      if (!isKept) {
        connection.close();
      }
    }
  }

  /** Returns what creates the indexes that {@link #migrate} leaves out; closed with this. */
  public LargeIndexes largeIndexes() {
    return largeIndexes;
  }

  /** Returns the keeper of the ledger's partitions. */
  public PartitionKeeper partitions() {
    return partitions;
  }

  @Override
  public void close() {
    largeIndexes.close();
    writing.close();
    general.close();
    leasing.close();
    watching.close();
    auditing.close();
    finding.close();
  }

  public ConnectionLimits limits() {
    return limits;
  }

  /** Connections of the writers, one transaction at a time, no auto-commit. */
  public DataSource writing() {
    return writing;
  }

  /** Connections for all other uses, with auto-commit. */
  public DataSource general() {
    return general;
  }

  /** Returns SQL over {@link #general}, for what is not asked for each request. */
  public LedgerSql sql() {
    return sql;
  }

  /**
   * A connection of its own for the reports that nodes exchange every second, with auto-commit: a
   * ledger that has all its connections in use does not let leases expire.
   */
  public DataSource leasing() {
    return leasing;
  }

  /**
   * A connection of its own for the change watch, with auto-commit: a statement on it ends or fails
   * within 3 s, and so does the wait for it.
   */
  public DataSource watching() {
    return watching;
  }

  /** Connections of the audit trail, no auto-commit. */
  public DataSource auditing() {
    return auditing;
  }

  /** Connections of the index of certificates and of searches in it, no auto-commit. */
  public DataSource finding() {
    return finding;
  }

  /** A new connection without time limits, for reading everything; the caller closes it. */
  public Connection reading() throws SQLException {
    return reading.getConnection();
  }
}
