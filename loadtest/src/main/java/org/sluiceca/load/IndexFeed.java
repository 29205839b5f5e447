package org.sluiceca.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.call.Wait;

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
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Database database = Database.at(arguments[0], arguments[1], Path.of(arguments[2]));
    String action =
        switch (arguments[3]) {
          case "on" -> "ENABLE";
          case "off" -> "DISABLE";
          default -> throw new IllegalArgumentException("on or off, not " + arguments[3]);
        };
    Wait.require(
        CAUGHT_UP,
        LOOK,
        "the index is behind",
        () -> database.number("SELECT count(*) FROM (SELECT FROM certificate_feed LIMIT 1)") == 0);
    int ignored =
        database.execute("ALTER TABLE outcome " + action + " TRIGGER feed_certificate_index");
    System.out.println(
        database
            .first(
                "SELECT pg_current_wal_lsn() - '0/0', pg_database_size(current_database())",
                row -> row.getLong(1) + " " + row.getLong(2))
            .orElseThrow());
  }
}
