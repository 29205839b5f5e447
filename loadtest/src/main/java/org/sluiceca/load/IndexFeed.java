package org.sluiceca.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;

/**
 * Switches what feeds a trial's index of certificates, for the benchmark of what the index costs:
 * arguments are the database's URL, user, password file, and {@code on} or {@code off}. Waits until
 * the index has all that was issued before, or each round would pay for the one before it. Prints
 * how many octets the database has written to its log and keeps.
 */
public final class IndexFeed {

  private static final Duration CAUGHT_UP = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMillis(200);

  private IndexFeed() {}

  /** Switches it. */
  public static void main(String[] arguments)
      throws IOException, SQLException, InterruptedException {
    Locale.setDefault(Locale.ROOT);
    String password = Files.readString(Path.of(arguments[2])).strip();
    String action =
        switch (arguments[3]) {
          case "on" -> "ENABLE";
          case "off" -> "DISABLE";
          default -> throw new IllegalArgumentException("on or off, not " + arguments[3]);
        };
    try (Connection connection = DriverManager.getConnection(arguments[0], arguments[1], password);
        Statement statement = connection.createStatement()) {
      long end = System.nanoTime() + CAUGHT_UP.toNanos();
      while (isBehind(statement)) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("the index is behind for more than " + CAUGHT_UP);
        }
        Thread.sleep(LOOK);
      }
      statement.execute("ALTER TABLE outcome " + action + " TRIGGER feed_certificate_index");
      System.out.println(written(statement));
    }
  }

  /** Octets of the write-ahead log since ever, and of the database now. */
  private static String written(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT pg_current_wal_lsn() - '0/0', pg_database_size(current_database())")) {
      row.next();
      return row.getLong(1) + " " + row.getLong(2);
    }
  }

  private static boolean isBehind(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT EXISTS (SELECT FROM certificate_feed)")) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
