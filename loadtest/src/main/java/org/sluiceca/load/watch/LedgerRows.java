package org.sluiceca.load.watch;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.call.Wait;
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

  /** Intents of a node that died are finished within 30 s (docs/TESTING.md); twice that. */
  private static final Duration FINISHED_WITHIN = Duration.ofSeconds(60);

  private static final Duration LOOK = Duration.ofMillis(500);

  private final Database ledger;
  private final String pattern;

  /**
   * Rows of one run.
   *
   * @param run what the Idempotency-Keys begin with: letters and digits
   */
  public LedgerRows(TrialNodes trial, String run) {
    this.ledger = trial.ledger();
    this.pattern = run + "-%";
  }

  /** Returns all rows. */
  public List<LedgerRow> all() {
    return ledger.all(ROWS, LedgerRows::row, pattern);
  }

  /** Hands all rows to {@code reader}, some thousands of them in memory at a time. */
  public void each(Consumer<LedgerRow> reader) {
    ledger.each(reader, ROWS, LedgerRows::row, pattern);
  }

  /**
   * Returns the serial number of a certificate that is not revoked.
   *
   * @throws TrialException if there is none
   */
  public String revocable() {
    return ledger
        .first(TO_REVOKE, row -> row.getString(1), pattern)
        .orElseThrow(() -> new TrialException("nothing was issued that could be revoked"));
  }

  /** Returns how many intents have no outcome yet. */
  public long pending() {
    return ledger.number(PENDING, pattern);
  }

  /** Waits until every intent has an outcome, for a minute at most. */
  public void awaitFinished() {
    boolean ignored = Wait.until(FINISHED_WITHIN, LOOK, () -> pending() == 0);
  }

  /** Returns what the Idempotency-Keys of another run begin with. */
  public static String newRun(String name) {
    return name + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
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
