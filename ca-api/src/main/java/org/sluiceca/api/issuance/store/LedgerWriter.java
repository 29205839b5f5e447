package org.sluiceca.api.issuance.store;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.issuance.store.commit.CommitObserver;
import org.sluiceca.api.issuance.store.commit.GroupCommit;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.issuance.store.commit.PendingRow;
import org.sluiceca.api.issuance.store.commit.SerialNumberTaken;
import org.sluiceca.api.platform.store.SqlFailure;
import org.sluiceca.core.time.Ticker;

/**
 * Writes batches in transactions and answers each row after the commit. A row at fault is found by
 * halving the batch; the others are written without it. Thread-safe.
 */
public final class LedgerWriter implements GroupCommit.BatchWriter {

  /**
   * How often one batch is tried. The second attempt resolves a lost connection's doubt or a
   * deadlock; a third would only add to the wait of those behind.
   */
  private static final int ATTEMPTS_MAX = 2;

  /** One transaction over rows of different serial numbers: all of them, or none. */
  @FunctionalInterface
  public interface Transaction {

    /** Commits the rows and returns what gives them their answers. */
    Runnable commit(List<IntentRow> intents, List<OutcomeRow> outcomes)
        throws SQLException, SerialNumberTaken;
  }

  private final Transaction transaction;
  private final CommitObserver observer;
  private final Ticker ticker;

  public LedgerWriter(Transaction transaction, CommitObserver observer, Ticker ticker) {
    this.transaction = transaction;
    this.observer = observer;
    this.ticker = ticker;
  }

  private record Attempt(List<PendingRow<?>> rows, int number) {}

  @Override
  public void write(List<PendingRow<?>> rows) {
    Deque<Attempt> attempts = new ArrayDeque<>();
    attempts.add(new Attempt(rows, 1));
    while (!attempts.isEmpty()) {
      Attempt attempt = attempts.remove();
      if (!attempt.rows().isEmpty()) {
        next(attempt).reversed().forEach(attempts::addFirst);
      }
    }
  }

  /** Makes an attempt and returns those that must follow. */
  private List<Attempt> next(Attempt attempt) {
    List<PendingRow<?>> rows = attempt.rows();
    try {
      long start = ticker.nanoTime();
      Runnable answers = commit(rows);
      long committed = ticker.nanoTime();
      answers.run();
      observer.committed(rows.size(), committed - start);
      return List.of();
    } catch (SerialNumberTaken e) {
      e.row().give(Optional.empty());
      return List.of(
          new Attempt(rows.stream().filter(r -> r != e.row()).toList(), attempt.number()));
    } catch (SQLException e) {
      return switch (SqlFailure.of(e)) {
        case CONNECTION_LOST, ROLLED_BACK ->
            attempt.number() < ATTEMPTS_MAX
                ? List.of(new Attempt(rows, attempt.number() + 1))
                : refuse(rows, e);
        case ROW -> rows.size() > 1 ? halves(rows) : refuse(rows, e);
        case DATABASE -> refuse(rows, e);
      };
    }
  }

  private static List<Attempt> halves(List<PendingRow<?>> rows) {
    int middle = rows.size() / 2;
    return List.of(
        new Attempt(rows.subList(0, middle), 1), new Attempt(rows.subList(middle, rows.size()), 1));
  }

  private static List<Attempt> refuse(List<PendingRow<?>> rows, SQLException cause) {
    rows.forEach(row -> row.refuse("the database did not record it", cause));
    return List.of();
  }

  /** Commits the rows and returns what gives them their answers. */
  private Runnable commit(List<PendingRow<?>> rows) throws SQLException, SerialNumberTaken {
    List<IntentRow> intents = new ArrayList<>();
    List<OutcomeRow> outcomes = new ArrayList<>();
    for (PendingRow<?> row : rows) {
      switch (row) {
        case IntentRow intent -> intents.add(intent);
        case OutcomeRow outcome -> outcomes.add(outcome);
      }
    }
    return transaction.commit(intents, outcomes);
  }
}
