package org.sluiceca.api.platform.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Asks whether the ledger's database answers. Thread-safe. */
public final class LedgerProbe {

  /** A database that takes longer to say yes is as good as gone. */
  private static final int ANSWER_SECONDS = 2;

  private final LedgerDatabase database;

  /** Probes {@code database}. */
  public LedgerProbe(LedgerDatabase database) {
    this.database = database;
  }

  /** Returns whether the database answers now; blocks for a few seconds at most. */
  public boolean isReachable() {
    try (Connection connection = database.general().getConnection()) {
      return connection.isValid(ANSWER_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }
}
