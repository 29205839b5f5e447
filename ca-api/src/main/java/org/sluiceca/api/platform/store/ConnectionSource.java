package org.sluiceca.api.platform.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;
import org.sluiceca.core.time.Deadline;

/**
 * How one account's connections to the ledger's PostgreSQL are made, pooled, and waited for when a
 * node starts. Does not connect by itself. Immutable.
 */
final class ConnectionSource {

  /** The wait for a connection: shorter than a client's patience of 10 s. */
  private static final Duration CONNECTION_WAIT = Duration.ofSeconds(3);

  /**
   * The pools' wait for a login, longer than their callers': a connection that one of them gave up
   * waiting for is there for the next. Were it cut off, a server that takes 4 s would never be
   * reached. Shorter than the ledger's {@link ConnectionLimits#socket}, after which a connection
   * counts as lost.
   */
  private static final Duration LOGIN_WAIT = Duration.ofSeconds(10);

  /**
   * A starting node's wait for its first connections. The first login of a process runs code that
   * is not compiled yet, 4,096 rounds of SCRAM among it: many seconds on a slow host, and a new
   * process would start from the beginning.
   */
  private static final Duration FIRST_LOGIN_WAIT = Duration.ofSeconds(60);

  /** The wait for one TCP connection: three tries fit into {@link #CONNECTION_WAIT}. */
  private static final Duration TCP_CONNECT_WAIT = Duration.ofSeconds(1);

  /**
   * A pool tests a connection before lending it if it was unused for this long. This is more than
   * the one second of the lease loop and the change watch, which would otherwise make a second
   * round trip each time. A connection that dies meanwhile costs its user one failure, as it does
   * in use.
   */
  private static final String UNUSED_MILLIS = "1500";

  /**
   * Instead of what an administrator has set for the role, to end what a program left behind: an
   * upgrade would be rolled back, an export cut off.
   */
  private static final String NO_TIMEOUTS =
      "-c statement_timeout=0 -c transaction_timeout=0"
          + " -c idle_in_transaction_session_timeout=0 -c idle_session_timeout=0";

  private static final String SETTING = "SELECT s.setting FROM pg_settings s WHERE s.name = ?";

  static {
    // The pool has no setting of its own for it. An operator's is left alone.
    String name = "com.zaxxer.hikari.aliveBypassWindowMs";
    System.setProperty(name, System.getProperty(name, UNUSED_MILLIS));
  }

  private final String url;
  private final String user;
  private final String password;

  private ConnectionSource(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /**
   * Connections of an account.
   *
   * @param url a {@code jdbc:postgresql:} URL
   * @param passwordFile holds the password, one line
   * @throws IllegalArgumentException if the password file cannot be read
   */
  static ConnectionSource of(String url, String user, Path passwordFile) {
    try {
      String password = Files.readString(passwordFile, StandardCharsets.UTF_8).strip();
      return new ConnectionSource(url, user, password);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read the database password file " + passwordFile, e);
    }
  }

  /** Returns connections within these limits. */
  PGSimpleDataSource limited(ConnectionLimits limits) {
    PGSimpleDataSource source = unlimited();
    source.setOptions(limits.serverOptions());
    source.setSocketTimeout(Math.toIntExact(limits.socket().toSeconds()));
    return source;
  }

  /**
   * Returns connections without limits in time, but for making one and for locks. A server older
   * than PostgreSQL 17 refuses them: 42704, a setting is unknown.
   */
  PGSimpleDataSource unlimited() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(user);
    source.setPassword(password);
    source.setApplicationName("sluice");
    source.setConnectTimeout(Math.toIntExact(TCP_CONNECT_WAIT.toSeconds()));
    source.setLoginTimeout(Math.toIntExact(CONNECTION_WAIT.toSeconds()));
    source.setTcpKeepAlive(true);
    // Whatever the URL says: a statement that takes locks must run to its end.
    source.setDefaultRowFetchSize(0);
    source.setOptions(NO_TIMEOUTS);
    return source;
  }

  /** Returns the same for the first login of a process, waiting for a lock no longer than this. */
  PGSimpleDataSource patient(Duration lockWait) {
    PGSimpleDataSource source = unlimited();
    source.setOptions(NO_TIMEOUTS + " -c lock_timeout=" + lockWait.toMillis());
    source.setLoginTimeout(Math.toIntExact(FIRST_LOGIN_WAIT.toSeconds()));
    return source;
  }

  /** Opens a pool over these connections, which does not wait for the database. */
  static HikariDataSource pool(
      String name, PGSimpleDataSource source, int size, boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    config.setAutoCommit(autoCommit);
    config.setConnectionTimeout(CONNECTION_WAIT.toMillis());
    config.setValidationTimeout(TCP_CONNECT_WAIT.toMillis());
    // Not an error here: the first use says so, and LedgerDatabase.migrate comes before it.
    config.setInitializationFailTimeout(-1);
    HikariDataSource opened = new HikariDataSource(config);
    // Afterwards, for the pool has set its callers' wait.
    source.setLoginTimeout(Math.toIntExact(LOGIN_WAIT.toSeconds()));
    return opened;
  }

  /**
   * Does nothing if the server has these settings for a connection. A pooler may leave out the
   * {@code options} that a client begins with, and with them all limits in time.
   *
   * @param settings the values that {@code pg_settings} shows
   * @throws IllegalStateException if it has not
   */
  static void requireSettings(Connection connection, Map<String, String> settings)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SETTING)) {
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        statement.setString(1, setting.getKey());
        try (ResultSet row = statement.executeQuery()) {
          String found = row.next() ? row.getString(1) : "absent";
          // Where the system's values apply, as without TCP, these are shown as 0.
          if (!found.equals(setting.getValue()) && !setting.getKey().startsWith("tcp_")) {
            throw new IllegalStateException(
                "a pooler between this node and PostgreSQL drops connection settings: "
                    + setting.getKey()
                    + " is '"
                    + found
                    + "', not '"
                    + setting.getValue()
                    + "'. Connect to PostgreSQL itself, or have the pooler pass the startup"
                    + " parameter 'options'");
          }
        }
      }
    }
  }

  /** Returns when the pool has a connection; after {@link #FIRST_LOGIN_WAIT} it throws. */
  static void awaitFirst(HikariDataSource pool) throws SQLException {
    Deadline deadline = Deadline.after(FIRST_LOGIN_WAIT, System::nanoTime);
    while (true) {
      try {
        pool.getConnection().close();
        return;
      } catch (SQLTransientConnectionException e) {
        if (deadline.hasPassed(System::nanoTime)) {
          throw e;
        }
      }
    }
  }
}
