package org.sluiceca.api.issuance.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;

/**
 * What the PostgreSQL under test has spent: processor time by purpose, as Linux counts it for each
 * of its processes, and write-ahead log. Only for a server on this machine.
 */
final class ServerCosts {

  /** Processes of no pool that was named: the checkpointer and those like it, ended ones too. */
  static final String OTHER = "other";

  // proc(5): clock ticks, 100 a second on all that matters here.
  private static final long TICK_NANOS = 10_000_000;

  private static final double NANOS_PER_MICRO = 1e3;

  private final Address address;
  private final Map<Long, String> backends = new HashMap<>();

  ServerCosts(Address address) {
    this.address = address;
  }

  /** So much was spent since the server's start, or between two moments. */
  record Sum(Map<String, Long> nanos, long logOctets) {

    Sum minus(Sum earlier) {
      Map<String, Long> left = new TreeMap<>(nanos);
      earlier.nanos.forEach((purpose, spent) -> left.merge(purpose, -spent, Long::sum));
      return new Sum(left, logOctets - earlier.logOctets);
    }

    double micros() {
      return nanos.values().stream().mapToLong(Long::longValue).sum() / NANOS_PER_MICRO;
    }

    double micros(String purpose) {
      return nanos.getOrDefault(purpose, 0L) / NANOS_PER_MICRO;
    }
  }

  /** Says what for the connections of a pool are; opens all of them. */
  void name(String purpose, DataSource pool, int size) throws SQLException {
    List<Connection> held = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Connection connection = pool.getConnection();
      held.add(connection);
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
        row.next();
        backends.put(row.getLong(1), purpose);
      }
    }
    for (Connection connection : held) {
      connection.close();
    }
  }

  Sum now() throws SQLException, IOException {
    Map<String, Long> nanos = new TreeMap<>();
    long server = 0;
    long logOctets = 0;
    try (Connection connection = PostgresForTests.get().connect(address);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT a.pid, pg_current_wal_lsn() - '0/0'
                FROM pg_stat_activity a WHERE a.pid <> pg_backend_pid()
                """)) {
      while (row.next()) {
        long pid = row.getLong(1);
        logOctets = row.getLong(2);
        // proc(5) schedstat: the first number is the time on a processor.
        String[] times = Files.readString(Path.of("/proc/" + pid + "/schedstat")).split(" ", -1);
        nanos.merge(backends.getOrDefault(pid, OTHER), Long.parseLong(times[0]), Long::sum);
        server = Long.parseLong(stat(pid)[1]);
      }
    }
    // cutime and cstime: of children that have ended, autovacuum's among them.
    String[] stat = stat(server);
    long ended = Long.parseLong(stat[13]) + Long.parseLong(stat[14]);
    nanos.merge(OTHER, ended * TICK_NANOS, Long::sum);
    return new Sum(nanos, logOctets);
  }

  /** The machine's load average of the last minute. */
  static String load() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ", -1)[0];
  }

  /** The fields of proc(5) stat from the state on: behind the name, which may hold blanks. */
  private static String[] stat(long pid) throws IOException {
    return Files.readString(Path.of("/proc/" + pid + "/stat"))
        .replaceFirst("^.*\\) ", "")
        .split(" ", -1);
  }
}
