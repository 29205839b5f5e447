package org.sluiceca.load.watch;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.load.cli.TrialException;

/**
 * Reads the rows of a run from the trial's database: what was issued, independently of what the
 * service reports. A call opens a connection and blocks until it has its answer.
 */
public final class LedgerRows {

  private static final String ROWS =
      """
      SELECT encode(i.serial, 'hex'), i.requester, i.idempotency_key, i.issuer,
             o.kind, o.owner, o.recorded_at
      FROM intent i
      LEFT JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
      WHERE i.idempotency_key LIKE ?
      """;

  private static final String PENDING =
      """
      SELECT count(i.serial) FROM intent i
      WHERE i.idempotency_key LIKE ?
      AND NOT EXISTS (SELECT FROM outcome o
                      WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
      """;

  private static final String TO_REVOKE =
      """
      SELECT encode(i.serial, 'hex') FROM intent i
      JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
      WHERE i.idempotency_key LIKE ? AND o.kind = 'issued'
      AND NOT EXISTS (SELECT FROM revocation r
                      WHERE r.expiry_week = i.expiry_week AND r.serial = i.serial)
      LIMIT 1
      """;

  private static final int ROWS_AT_A_TIME = 5_000;

  private final TrialNodes trial;
  private final String pattern;

  /**
   * Rows of one run.
   *
   * @param run what the Idempotency-Keys begin with: letters and digits
   */
  public LedgerRows(TrialNodes trial, String run) {
    this.trial = trial;
    this.pattern = run + "-%";
  }

  /** Returns all rows. */
  public List<LedgerRow> all() {
    List<LedgerRow> rows = new ArrayList<>();
    each(rows::add);
    return rows;
  }

  /** Hands all rows to {@code reader}, some thousands of them in memory at a time. */
  public void each(Consumer<LedgerRow> reader) {
    try (Connection connection = trial.openLedger();
        PreparedStatement statement = connection.prepareStatement(ROWS)) {
      // The driver reads by portions in a transaction alone.
      connection.setAutoCommit(false);
      statement.setFetchSize(ROWS_AT_A_TIME);
      statement.setString(1, pattern);
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          reader.accept(row(found));
        }
      }
    } catch (SQLException e) {
      throw new TrialException("cannot read the ledger", e);
    }
  }

  /**
   * Returns the serial number of a certificate that is not revoked.
   *
   * @throws TrialException if there is none
   */
  public String revocable() {
    try (Connection connection = trial.openLedger();
        PreparedStatement statement = connection.prepareStatement(TO_REVOKE)) {
      statement.setString(1, pattern);
      try (ResultSet found = statement.executeQuery()) {
        if (!found.next()) {
          throw new TrialException("nothing was issued that could be revoked");
        }
        return found.getString(1);
      }
    } catch (SQLException e) {
      throw new TrialException("cannot read the ledger", e);
    }
  }

  /** Returns how many intents have no outcome yet. */
  public long pending() {
    try (Connection connection = trial.openLedger();
        PreparedStatement statement = connection.prepareStatement(PENDING)) {
      statement.setString(1, pattern);
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? found.getLong(1) : 0;
      }
    } catch (SQLException e) {
      throw new TrialException("cannot read the ledger", e);
    }
  }

  private static LedgerRow row(ResultSet found) throws SQLException {
    String kind = found.getString(5);
    Optional<LedgerRow.Outcome> outcome =
        kind == null
            ? Optional.empty()
            : Optional.of(
                new LedgerRow.Outcome(
                    kind, node(found.getString(6)), found.getTimestamp(7).toInstant()));
    return new LedgerRow(
        found.getString(1), found.getString(2), found.getString(3), found.getString(4), outcome);
  }

  /** An owner is a node's name, a dot, and the number of its life. */
  private static String node(String owner) {
    int dot = owner.indexOf('.');
    return dot < 0 ? owner : owner.substring(0, dot);
  }
}
