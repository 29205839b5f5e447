package org.sluiceca.api.issuance.store.commit;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.sluiceca.api.issuance.store.LedgerWriter;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.issuance.store.commit.GroupCommitState.Batch;
import org.sluiceca.api.simulation.Baton;
import org.sluiceca.api.simulation.Tables;
import org.sluiceca.api.simulation.Tables.Answers;
import org.sluiceca.api.simulation.Tables.IntentWrite;
import org.sluiceca.api.simulation.Tables.OutcomeWrite;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A node's ledger in the simulation: the real rows, {@link GroupCommitState} and {@link
 * LedgerWriter} over simulated tables. It stands for {@link GroupCommit} and {@link
 * PostgresLedgerStore}, whose threads and SQL it replaces.
 */
public final class SteppedLedgerStore implements LedgerStore {

  private static final long LOOK_NANOS = 1_000_000_000L;

  /** How many rows may wait here, and how many make a batch: small, so that both bounds are met. */
  public static final int WAITING_MAX = 12;

  /** See {@link #WAITING_MAX}. */
  public static final int BATCH_MAX = 5;

  private final Tables tables;
  private final Baton baton;
  private final Ticker ticker;
  private final GroupCommit.BatchWriter writer;
  private final GroupCommitState state = new GroupCommitState(WAITING_MAX, BATCH_MAX);
  private final Map<PendingRow<?>, Baton.Task> waiters = new LinkedHashMap<>();
  private final Baton.Task writerTask;

  /** A mutant's chance to write otherwise. */
  @FunctionalInterface
  public interface Commit {
    /** Commits as {@link Tables#commit}. */
    Answers commit(List<IntentWrite> intents, List<OutcomeWrite> outcomes) throws SQLException;
  }

  /** Starts the writer's task, which dies with {@code host}. */
  public SteppedLedgerStore(
      Tables tables, UnaryOperator<Commit> mutation, Baton baton, Baton.Host host, Ticker ticker) {
    this.tables = tables;
    this.baton = baton;
    this.ticker = ticker;
    Commit commit = mutation.apply(tables::commit);
    this.writer = new LedgerWriter((i, o) -> commit(commit, i, o), (rows, nanos) -> {}, ticker);
    this.writerTask = baton.spawn("writer", host, this::write);
  }

  @Override
  public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
    Optional<IntentAnswer> answer = submit(new IntentRow(intent, terms, deadline));
    Invariant.check(answer.isPresent(), "serial number stands for one intent only");
    return answer.orElseThrow();
  }

  @Override
  public OutcomeAnswer recordOutcome(
      SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
    Optional<OutcomeAnswer> answer = submit(new OutcomeRow(serialNumber, outcome, claim, deadline));
    Invariant.check(answer.isPresent(), "the intent of an outcome is recorded");
    return answer.orElseThrow();
  }

  @Override
  public Optional<LedgerEntry> find(SerialNumber serialNumber) {
    try {
      return tables.find(serialNumber);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the ledger cannot be read", e);
    }
  }

  @Override
  public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
    try {
      return tables.claimExpired(terms, max);
    } catch (SQLException e) {
      throw new LedgerUnavailable("expired claims cannot be taken over", e);
    }
  }

  @Override
  public Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms) {
    throw new UnsupportedOperationException("the simulation cancels nothing");
  }

  /** Returns how many rows wait. */
  public int waiting() {
    return state.size();
  }

  private <A> A submit(PendingRow<A> row) {
    if (!state.offer(row)) {
      throw new LedgerUnavailable("too many rows wait for the ledger");
    }
    waiters.put(row, baton.current());
    baton.wake(writerTask);
    boolean taken = false;
    try {
      while (!row.isAnswered()) {
        if (!taken && row.deadline().hasPassed(ticker)) {
          if (state.withdraw(row)) {
            throw new LedgerUnavailable("not written before the deadline");
          }
          taken = true;
        }
        baton.await(
            baton.now()
                + (taken ? LOOK_NANOS : Math.max(1, row.deadline().remainingNanos(ticker))));
      }
      return row.result();
    } finally {
      waiters.remove(row);
    }
  }

  private void write() {
    while (true) {
      while (state.isEmpty()) {
        baton.await(baton.now() + 1000 * LOOK_NANOS);
      }
      Batch batch = state.take(ticker.nanoTime());
      batch.expired().forEach(row -> row.refuse("not written before the deadline", null));
      if (!batch.rows().isEmpty()) {
        writer.write(batch.rows());
      }
      wakeAnswered();
    }
  }

  private void wakeAnswered() {
    List.copyOf(waiters.entrySet()).stream()
        .filter(e -> e.getKey().isAnswered())
        .forEach(e -> baton.wake(e.getValue()));
  }

  private Runnable commit(Commit commit, List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException, SerialNumberTaken {
    List<IntentWrite> intentWrites = new ArrayList<>();
    intents.forEach(r -> intentWrites.add(new IntentWrite(r.intent(), r.terms())));
    List<OutcomeWrite> outcomeWrites = new ArrayList<>();
    outcomes.forEach(
        r -> outcomeWrites.add(new OutcomeWrite(r.serialNumber(), r.outcome(), r.claim())));
    Answers answers = commit.commit(intentWrites, outcomeWrites);
    for (int i = 0; i < intents.size(); i++) {
      if (answers.intents().get(i).isEmpty()) {
        throw new SerialNumberTaken(intents.get(i));
      }
    }
    return () -> {
      for (int i = 0; i < intents.size(); i++) {
        intents.get(i).give(answers.intents().get(i));
      }
      for (int i = 0; i < outcomes.size(); i++) {
        outcomes.get(i).give(answers.outcomes().get(i));
      }
      wakeAnswered();
    };
  }
}
