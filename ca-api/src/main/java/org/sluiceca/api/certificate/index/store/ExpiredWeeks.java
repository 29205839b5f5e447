package org.sluiceca.api.certificate.index.store;

import java.util.List;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.ExpiryWeek;

/** The weeks of the index whose certificates have all expired. Thread-safe. */
public final class ExpiredWeeks {

  private static final String DROP_WEEK = "SELECT drop_index_week(?, ?)";

  private static final String DROP_TALLY = "DELETE FROM certificate_tally WHERE expiry_week < ?";
  private static final String DROP_LIVES = "DELETE FROM certificate_life WHERE expiry_week < ?";

  private static final String UNDROPPED = "old weeks cannot be dropped from the index";

  private final LedgerSql sql;

  /** Those of a database that was migrated. */
  public ExpiredWeeks(LedgerDatabase database) {
    this.sql = new LedgerSql(database.finding());
  }

  /**
   * Drops what expired before this week from the index, never from the ledger; returns how many
   * partitions that were. Waits a second for each at most, for searches to end. Repeating is always
   * safe.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public int dropBefore(ExpiryWeek week) {
    int dropped = 0;
    // Names first: no search finds a name without its certificate.
    for (String table : List.of("certificate_name", "certificate_index")) {
      while (dropOne(table, week)) {
        dropped++;
      }
    }
    for (String counts : List.of(DROP_TALLY, DROP_LIVES)) {
      int _ = sql.transaction(UNDROPPED, jdbc -> jdbc.sql(counts).param(week.number()).update());
    }
    return dropped;
  }

  private boolean dropOne(String table, ExpiryWeek week) {
    return sql.transaction(
        UNDROPPED,
        jdbc -> jdbc.sql(DROP_WEEK).params(table, week.number()).query(Boolean.class).single());
  }
}
