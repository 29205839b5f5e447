package org.sluiceca.api.revocation.bulk.store;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.revoke.bulk.BulkPage;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.revoke.bulk.BulkTally;

/** Counts what a selection comes to, without changing anything. Thread-safe. */
public final class BulkCount {

  private final BulkReading reading;

  /** Counts in a database that was migrated. */
  public BulkCount(LedgerDatabase database) {
    this(database, BulkReading.PAGE_ROWS);
  }

  BulkCount(LedgerDatabase database, int pageRows) {
    this.reading = new BulkReading(database, pageRows);
  }

  /**
   * Returns the moment of a new selection: everything recorded before it is visible from now on.
   * Blocks for some 3 s at most.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public Instant moment() {
    try {
      return reading.moment();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the database's time cannot be read", e);
    }
  }

  /**
   * Counts, a statement for each two thousand rows of the ledger.
   *
   * @param asOf a moment that {@link #moment} gave
   * @param max how long at most; it goes on for some statements more
   * @param extend run before each statement, for a caller that would otherwise take this for dead
   * @return empty if it takes longer
   * @throws LedgerUnavailable if the database does not answer
   */
  public Optional<BulkTally> count(
      BulkSelection selection, Instant asOf, Duration max, Runnable extend) {
    try {
      long start = System.nanoTime();
      BulkTally tally = new BulkTally();
      Optional<BulkReading.Position> position = reading.first(asOf);
      while (position.isPresent()) {
        if (System.nanoTime() - start > max.toNanos()) {
          return Optional.empty();
        }
        extend.run();
        BulkReading.Slice slice =
            reading.read(selection, asOf, position.get(), BulkBatches.BATCH_MAX);
        tally.add(BulkPage.of(slice.candidates(), asOf));
        position = slice.next();
      }
      return Optional.of(tally);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the certificates cannot be counted", e);
    }
  }
}
