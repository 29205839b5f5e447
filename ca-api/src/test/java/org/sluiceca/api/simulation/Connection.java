package org.sluiceca.api.simulation;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.simulation.SimDatabase.IntentRow;
import org.sluiceca.api.simulation.SimDatabase.Transaction;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.x509.SerialNumber;

/** One node's connections to the database, with everything that may go wrong on them. */
final class Connection implements Tables {

  /** A request under a key that begins so makes a row that the schema refuses. */
  static final String BAD_ROW = "bad-row-";

  /** As {@code lock_timeout} and the driver's socket timeout in {@code ConnectionLimits}. */
  private static final long LOCK_MAX = Duration.ofSeconds(1).toNanos();

  private static final long SOCKET_MAX = Duration.ofSeconds(12).toNanos();
  private static final long LOCK_LOOK = Duration.ofMillis(100).toNanos();
  private static final Object WATERMARK = "watermark";

  private final World world;
  private final SimDatabase database;
  private final SimNode node;

  Connection(World world, SimDatabase database, SimNode node) {
    this.world = world;
    this.database = database;
    this.node = node;
  }

  @Override
  public Answers commit(List<IntentWrite> intents, List<OutcomeWrite> outcomes)
      throws SQLException {
    node.boundary("transaction begins");
    connect();
    Transaction transaction = database.begin();
    try {
      statement();
      lock(transaction, rows(intents, outcomes));
      if (intents.stream().anyMatch(w -> isBadRow(w))) {
        throw new SQLException("a row violates a check", "23514");
      }
      if (world.strikes(world.weather().database().rolledBack(), "deadlock")) {
        throw new SQLException("deadlock detected", "40P01");
      }
      Map<SimDatabase.Key, IntentRow> fresh = new HashMap<>();
      List<Optional<IntentAnswer>> intentAnswers = new ArrayList<>();
      for (IntentWrite write : intents) {
        intentAnswers.add(database.insertIntent(transaction, fresh, write.intent(), write.terms()));
      }
      List<Optional<OutcomeAnswer>> outcomeAnswers = new ArrayList<>();
      for (OutcomeWrite write : outcomes) {
        outcomeAnswers.add(
            database.insertOutcome(
                transaction, write.serialNumber(), write.outcome(), write.claim()));
      }
      Answers answers = new Answers(intentAnswers, outcomeAnswers);
      if (intentAnswers.stream().anyMatch(Optional::isEmpty)) {
        return answers;
      }
      commit(transaction);
      return answers;
    } finally {
      if (!database.isCommitting(transaction)) {
        database.end(transaction);
      }
    }
  }

  @Override
  public Optional<LedgerEntry> find(SerialNumber serialNumber) throws SQLException {
    node.boundary("find begins");
    connect();
    statement();
    Optional<LedgerEntry> entry = database.find(serialNumber);
    node.boundary("find answered");
    return entry;
  }

  @Override
  public List<TakenOver> claimExpired(ClaimTerms terms, int max) throws SQLException {
    node.boundary("sweep begins");
    connect();
    Transaction transaction = database.begin();
    try {
      statement();
      long movable = database.movable();
      lock(transaction, Set.of(WATERMARK));
      statement();
      List<TakenOver> taken = database.sweep(transaction, movable, terms, max);
      commit(transaction);
      return taken;
    } finally {
      if (!database.isCommitting(transaction)) {
        database.end(transaction);
      }
    }
  }

  private static boolean isBadRow(IntentWrite write) {
    return write.intent().idempotencyKey().filter(k -> k.value().startsWith(BAD_ROW)).isPresent();
  }

  private static Set<Object> rows(List<IntentWrite> intents, List<OutcomeWrite> outcomes) {
    Set<Object> rows = new HashSet<>();
    for (IntentWrite write : intents) {
      rows.add(write.intent().serialNumber());
      SimDatabase.key(write.intent()).ifPresent(rows::add);
    }
    outcomes.forEach(w -> rows.add(w.serialNumber()));
    return rows;
  }

  private void connect() throws SQLException {
    if (world.strikes(world.weather().database().refused(), "database refuses")) {
      world.baton().pass(world.dice().millis(1, 1000));
      throw world.dice().chance(0.5)
          ? new SQLTransientConnectionException("no connection within the limit")
          : new SQLException("the server cannot", "53200");
    }
  }

  private void statement() throws SQLException {
    world.baton().pass(world.dice().nanos(Duration.ofNanos(100_000), Duration.ofMillis(3)));
    if (world.strikes(world.weather().database().lostBefore(), "connection lost")) {
      throw new SQLException("connection lost", "08006");
    }
  }

  private void lock(Transaction transaction, Set<Object> rows) throws SQLException {
    long end = world.now() + LOCK_MAX;
    while (!database.lock(transaction, rows)) {
      if (world.now() >= end) {
        throw new SQLException("lock not available", "55P03");
      }
      world.baton().pass(LOCK_LOOK);
    }
  }

  /** Sends the commit; what the server makes of it no longer depends on this node. */
  private void commit(Transaction transaction) throws SQLException {
    node.boundary("commit unsent");
    if (!database.startCommit(transaction)) {
      throw new SQLException("terminating connection due to transaction timeout", "25P04");
    }
    long takes =
        world.strikes(world.weather().database().stall(), "commit stalls")
            ? world.dice().millis(100, 45_000)
            : world.dice().nanos(Duration.ofNanos(200_000), Duration.ofMillis(3));
    Baton.Task waiter = world.baton().current();
    world
        .baton()
        .spawn(
            "server",
            null,
            () -> {
              world.baton().pass(takes);
              database.apply(transaction);
              world.baton().wake(waiter);
            });
    long end = world.now() + SOCKET_MAX;
    while (!transaction.isOver()) {
      if (world.now() >= end) {
        throw new SQLException("read timed out", "08006");
      }
      world.baton().await(end);
    }
    if (world.strikes(world.weather().database().lostAfter(), "commit's answer lost")) {
      throw new SQLException("connection lost", "08006");
    }
    node.boundary("commit answered");
  }
}
