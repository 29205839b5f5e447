package org.sluiceca.api.platform.store.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection with auto-commit, on which indexes are created. For one thread. */
final class IndexSession {

  /**
   * A statement that has all writers wait behind it while it waits itself. Theirs end after 1 s.
   */
  private static final int BRIEF_MILLIS = 100;

  /** Between two tries, so that those who waited get their turn. */
  private static final double PAUSE_SECONDS = 0.2;

  /** Some 30 s: longer than any transaction of a node lasts. */
  private static final int TRIES = 100;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final Connection connection;

  IndexSession(Connection connection) {
    this.connection = connection;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Executes a statement that needs a lock against writers. Tries again and again, since all
   * writers wait behind a statement that waits. Sets the session's lock_timeout.
   */
  void executeBriefly(String sql) throws SQLException {
    execute("SET lock_timeout = " + BRIEF_MILLIS);
    for (int tries = 1; ; tries++) {
      try {
        execute(sql);
        return;
      } catch (SQLException e) {
        if (!isLockNotAvailable(e) || tries == TRIES) {
          throw e;
        }
      }
      execute("SELECT pg_sleep(" + PAUSE_SECONDS + ")");
    }
  }

  /** Returns whether others held a lock until lock_timeout ended the wait for it. */
  static boolean isLockNotAvailable(SQLException e) {
    return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
  }

  /** Returns whether there is no connection any more. */
  static boolean isConnectionLost(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("08");
  }

  boolean isTrue(String question) throws SQLException {
    return "t".equals(text(question));
  }

  /** Returns the first column of the first row; null without a row. */
  @Nullable String text(String query, String... parameters) throws SQLException {
    List<String> all = texts(query, parameters);
    return all.isEmpty() ? null : all.getFirst();
  }

  /** Returns the first column of all rows. */
  List<String> texts(String query, String... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      List<String> all = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(rows.getString(1));
        }
      }
      return all;
    }
  }
}
