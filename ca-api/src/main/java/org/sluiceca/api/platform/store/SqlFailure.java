package org.sluiceca.api.platform.store;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** The meaning of an SQLException for the rows of a transaction (PostgreSQL, appendix A). */
public enum SqlFailure {
  /**
   * The connection ended, perhaps after the commit and before its answer. Repeating resolves the
   * doubt, for every insert may be repeated.
   */
  CONNECTION_LOST,
  /** Rolled back by no fault of the rows: a deadlock, a serialization failure. */
  ROLLED_BACK,
  /** Some row is at fault; the others may be written without it. */
  ROW,
  /** The database cannot, for now. */
  DATABASE;

  /** The SQLSTATE serialization_failure: another attempt is likely to pass. */
  public static final String SERIALIZATION = "40001";

  /** The SQLSTATE unique_violation. */
  private static final String DUPLICATE = "23505";

  /** Whether a row is there already under the same key. */
  public static boolean isDuplicate(SQLException e) {
    return DUPLICATE.equals(e.getSQLState());
  }

  public static SqlFailure of(SQLException e) {
    if (e instanceof SQLTransientConnectionException) {
      // The pool found no connection within its limit: another attempt would wait as long again.
      return DATABASE;
    }
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return switch (state) {
      // The last two: idle_in_transaction_session_timeout and transaction_timeout end a connection.
      case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04" -> CONNECTION_LOST;
      case SERIALIZATION, "40P01" -> ROLLED_BACK;
      // A lock was not available: one row waits for a frozen node's transaction.
      case "55P03" -> ROW;
      default ->
          switch (state.isEmpty() ? "" : state.substring(0, 2)) {
            case "08" -> CONNECTION_LOST;
            // Data exceptions and integrity violations, such as a check of the schema.
            case "22", "23" -> ROW;
            default -> DATABASE;
          };
    };
  }
}
