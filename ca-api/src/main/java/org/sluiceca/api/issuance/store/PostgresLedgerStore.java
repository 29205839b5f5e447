package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.api.issuance.store.commit.CommitObserver;
import org.sluiceca.api.issuance.store.commit.GroupCommit;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.issuance.store.commit.RefusedKeys;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The ledger on PostgreSQL. Recordings of many callers share transactions (group commit); look-ups
 * and recovery use connections of their own. Thread-safe.
 *
 * <p>A recording blocks until its deadline while it waits for a transaction. Once a transaction has
 * taken it, it blocks until that transaction's definite end, at most about a minute when the
 * database stalls.
 */
public final class PostgresLedgerStore implements LedgerStore, AutoCloseable {

  private static final String FIND =
      "SELECT "
          + LedgerColumns.INTENT
          + ", "
          + LedgerColumns.OUTCOME
          + """

          FROM intent i
          LEFT JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
          WHERE i.expiry_week = ? AND i.serial = ?
          """;

  private final LedgerDatabase database;
  private final JdbcTransaction transaction;
  private final Ticker ticker;
  private final GroupCommit commit;
  private final RefusedKeys refused = new RefusedKeys();

  /**
   * Starts the writer on a database that was migrated.
   *
   * @param claimLifetime of the claims that will be asked for: the shortest, if they differ
   * @throws IllegalArgumentException if it is not longer than a transaction may last
   */
  public PostgresLedgerStore(
      LedgerDatabase database, Duration claimLifetime, CommitObserver observer, Ticker ticker) {
    this(database, claimLifetime, observer, ticker, GroupCommit.Sizes.STANDARD);
  }

  PostgresLedgerStore(
      LedgerDatabase database,
      Duration claimLifetime,
      CommitObserver observer,
      Ticker ticker,
      GroupCommit.Sizes sizes) {
    this.database = database;
    requireSound(claimLifetime);
    this.transaction = new JdbcTransaction(database.writing(), database.partitions());
    this.ticker = ticker;
    LedgerWriter writer = new LedgerWriter(transaction, observer, ticker);
    this.commit = GroupCommit.start(sizes, writer, ticker);
  }

  /**
   * Lets the database plan the statements of recordings before the first one comes. Nothing is
   * recorded: they are executed without a row. Blocks until {@code until} and for the round that
   * runs then.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public void plan(Deadline until) {
    try {
      transaction.plan(until, ticker);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the ledger's statements cannot be planned", e);
    }
  }

  @Override
  public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
    requireSound(terms.lifetime());
    return record(new IntentRow(intent, terms, deadline));
  }

  @Override
  public IntentAnswer recordIntent(
      Intent intent, ClaimTerms terms, Deadline deadline, Continuation continuation) {
    requireSound(terms.lifetime());
    return record(new IntentRow(intent, terms, deadline, continuation));
  }

  IntentAnswer record(IntentRow row) {
    RequesterId requester = row.intent().origin().requester();
    if (row.publicKey().filter(key -> refused.contains(requester, key)).isPresent()) {
      return new IntentAnswer.KeyCompromised();
    }
    Optional<IntentAnswer> answer = commit.submit(row);
    Invariant.check(
        answer.isPresent(), "serial number " + row.serialNumber() + " stands for one intent only");
    if (answer.get() instanceof IntentAnswer.KeyCompromised) {
      row.publicKey().ifPresent(key -> refused.add(requester, key));
    }
    return answer.get();
  }

  @Override
  public OutcomeAnswer recordOutcome(
      SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
    return recorded(
        serialNumber, commit.submit(new OutcomeRow(serialNumber, outcome, claim, deadline)));
  }

  @Override
  public Pending<OutcomeAnswer> startOutcome(
      SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
    Pending<Optional<OutcomeAnswer>> answer =
        commit.start(new OutcomeRow(serialNumber, outcome, claim, deadline));
    return until -> answer.await(until).map(given -> recorded(serialNumber, given));
  }

  private static OutcomeAnswer recorded(SerialNumber serialNumber, Optional<OutcomeAnswer> answer) {
    Invariant.check(
        answer.isPresent(), "the intent " + serialNumber + " of an outcome is recorded");
    return answer.orElseThrow();
  }

  @Override
  public Optional<LedgerEntry> find(SerialNumber serialNumber) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setInt(1, serialNumber.expiryWeek().number());
      statement.setBytes(2, serialNumber.octets());
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? Optional.of(LedgerColumns.entry(result)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the ledger cannot be read", e);
    }
  }

  @Override
  public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
    requireSound(terms.lifetime());
    try (Connection connection = database.general().getConnection()) {
      return new RecoverySweep(connection, terms).claimExpired(max);
    } catch (SQLException e) {
      throw new LedgerUnavailable("expired claims cannot be taken over", e);
    }
  }

  @Override
  public Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms) {
    requireSound(terms.lifetime());
    try (Connection connection = database.general().getConnection()) {
      return TakeOver.of(connection, serialNumber, terms);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the intent cannot be taken over", e);
    }
  }

  /** Refuses new recordings, finishes those that wait, and ends the writer; not the database. */
  @Override
  public void close() {
    commit.close();
  }

  /** {@link RecoverySweep} would skip intents if a transaction might outlast its claim. */
  void requireSound(Duration claimLifetime) {
    Duration transaction = database.limits().transaction();
    if (claimLifetime.compareTo(transaction) <= 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "claim lifetime %s is not longer than the transaction timeout %s",
              claimLifetime,
              transaction));
    }
  }
}
