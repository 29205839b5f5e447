package org.sluiceca.api.platform.store;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * How long the database may keep one of this node's connections busy. Each limit is below the next,
 * so that the server gives up, and says what happened, before the client stops listening.
 *
 * @param lock the wait for a row of another transaction; those end within milliseconds, so a longer
 *     wait means a frozen node, and the batch goes on without the row
 * @param statement one statement; 256 rows take about 10 ms
 * @param transaction from BEGIN to COMMIT (PostgreSQL 17 and later): ends what a frozen node left
 *     open. Must be shorter than a claim's lifetime, see {@code RecoverySweep}
 * @param socket the client's wait for an answer, after which the connection counts as lost
 */
public record ConnectionLimits(
    Duration lock, Duration statement, Duration transaction, Duration socket) {

  /** The limits of a running node. */
  static final ConnectionLimits STANDARD =
      new ConnectionLimits(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(12));

  /**
   * The limits for nodes that share a token: one second is one period of the lease loop, and a late
   * lease is no loss. The driver counts the socket's limit in whole seconds.
   */
  static final ConnectionLimits LEASING =
      new ConnectionLimits(
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2));

  /**
   * The limits for the change watch: loops rest while it sees, so they have to learn soon that a
   * statement of it hangs.
   */
  static final ConnectionLimits WATCHING =
      new ConnectionLimits(
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(3));

  public ConnectionLimits {
    if (lock.compareTo(statement) >= 0
        || statement.compareTo(transaction) >= 0
        || transaction.compareTo(socket) >= 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "limits not in order: lock %s, statement %s, transaction %s, socket %s",
              lock,
              statement,
              transaction,
              socket));
    }
  }

  /**
   * Returns the server settings of a connection, in the syntax of the {@code options} parameter.
   */
  String serverOptions() {
    return serverSettings().entrySet().stream()
        .map(e -> "-c " + e.getKey() + "=" + e.getValue().replace(" ", "\\ "))
        .collect(Collectors.joining(" "));
  }

  /** Returns the same by name, with the values that {@code pg_settings} shows, in their order. */
  SequencedMap<String, String> serverSettings() {
    SequencedMap<String, String> settings = new LinkedHashMap<>();
    settings.put("lock_timeout", Long.toString(lock.toMillis()));
    settings.put("statement_timeout", Long.toString(statement.toMillis()));
    settings.put("transaction_timeout", Long.toString(transaction.toMillis()));
    // An acknowledged commit survives a crash of the server, whatever its configuration says.
    settings.put("synchronous_commit", "on");
    // A statement that follows a lock sees what committed before the lock was given.
    settings.put("default_transaction_isolation", "read committed");
    // The server notices a vanished node within 20 s instead of 2 hours.
    settings.put("tcp_keepalives_idle", "5");
    settings.put("tcp_keepalives_interval", "5");
    settings.put("tcp_keepalives_count", "3");
    // Every query looks up at most a batch of rows by primary key. On a partition without
    // statistics the planner might hash the whole partition instead; it is not asked.
    settings.put("enable_hashjoin", "off");
    settings.put("enable_mergejoin", "off");
    settings.put("enable_seqscan", "off");
    settings.put("plan_cache_mode", "force_generic_plan");
    settings.put("jit", "off");
    return settings;
  }
}
