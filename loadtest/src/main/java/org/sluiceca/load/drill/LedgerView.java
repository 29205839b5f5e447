package org.sluiceca.load.drill;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drill.client.Granted;
import org.sluiceca.load.drill.server.PostgresServer;

/**
 * Reads a server's ledger, independently of what the product reports. Each call opens a connection.
 */
public final class LedgerView {

  private static final String ROWS =
      """
      SELECT encode(i.serial, 'hex'), encode(sha256(i.tbs), 'hex'), coalesce(o.kind, ''),
        coalesce(encode(sha256(o.signature), 'hex'), '')
      FROM intent i
      LEFT JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
      """;

  private static final String UNDECIDED =
      """
      SELECT count(*) FROM intent i WHERE NOT EXISTS (
        SELECT FROM outcome o WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
      """;

  private static final String NOT_INDEXED =
      """
      SELECT count(*) FROM outcome o WHERE o.kind = 'issued' AND NOT EXISTS (
        SELECT FROM certificate_index x WHERE x.expiry_week = o.expiry_week AND x.serial = o.serial)
      """;

  private static final String REVOKED =
      "SELECT DISTINCT encode(serial, 'hex') FROM revocation WHERE reason IS NOT NULL";

  /** Its intent was committed before, its outcome is later: both, by the server's clock. */
  private static final String BETWEEN =
      """
      SELECT o.recorded_at FROM outcome o
      JOIN intent i ON i.expiry_week = o.expiry_week AND i.serial = o.serial
      WHERE o.kind = 'issued' AND i.idempotency_key LIKE ? AND o.recorded_at <= ?
      ORDER BY o.recorded_at DESC LIMIT 1
      """;

  /** An owner is a node's name, a dot and the number of its run. */
  private static final String ISSUED_BY =
      """
      SELECT count(*) FROM outcome o
      JOIN intent i ON i.expiry_week = o.expiry_week AND i.serial = o.serial
      WHERE o.kind = 'issued' AND i.idempotency_key LIKE ? AND o.owner LIKE ?
      """;

  private static final List<String> DELETE =
      List.of(
          "DELETE FROM outcome WHERE serial = decode(?, 'hex')",
          "DELETE FROM intent WHERE serial = decode(?, 'hex')");

  private static final List<String> CHANGE_AUDIT =
      List.of(
          "ALTER TABLE audit_event DISABLE TRIGGER USER",
          "UPDATE audit_event SET actor = 'changed' WHERE sequence = 1",
          "ALTER TABLE audit_event ENABLE TRIGGER USER");

  private static final Duration LOOK = Duration.ofMillis(500);

  private final Database ledger;

  /** Of this server; opens nothing yet. */
  public LedgerView(PostgresServer server) {
    this.ledger = new Database(server::ledger);
  }

  /** Compares what was given with what is there. */
  public Comparison compare(List<Granted> granted) {
    Map<String, Comparison.Row> rows = new HashMap<>();
    ledger.each(
        row -> rows.put(row.getKey(), row.getValue()),
        ROWS,
        row ->
            Map.entry(
                row.getString(1),
                new Comparison.Row(row.getString(2), row.getString(3), row.getString(4))));
    return new Comparison(granted, rows);
  }

  /** Plants a fault: removes a certificate, intent and outcome. */
  void delete(Granted one) {
    for (String sql : DELETE) {
      if (ledger.execute(sql, one.serial()) != 1) {
        throw new TrialException("nothing to delete: " + sql);
      }
    }
  }

  /** Plants a fault, as the owner of the tables could: changes the first row of every chain. */
  void changeAuditTrail() {
    for (String sql : CHANGE_AUDIT) {
      int ignored = ledger.execute(sql);
    }
  }

  /** Returns how many intents have no outcome. */
  long undecided() {
    return ledger.number(UNDECIDED);
  }

  /** Returns how many certificates cannot be found by their names. */
  long notIndexed() {
    return ledger.number(NOT_INDEXED);
  }

  /** Returns the serial numbers of all that were ever revoked. */
  Set<String> revoked() {
    return Set.copyOf(ledger.all(REVOKED, row -> row.getString(1)));
  }

  /**
   * Returns a moment, the last up to {@code latest}, at which a certificate of this run was between
   * its intent and its outcome.
   */
  Optional<Instant> momentBetween(String run, Instant latest) {
    return ledger.first(
        BETWEEN,
        row -> row.getObject(1, OffsetDateTime.class).toInstant(),
        run + "-%",
        latest.atOffset(ZoneOffset.UTC));
  }

  /** Returns how many certificates of a run of clients a node has issued. */
  public long issuedBy(String node, String run) {
    return ledger.number(ISSUED_BY, run + "-%", node + ".%");
  }

  /** Waits until nothing is undecided and all is indexed; returns false if not in time. */
  boolean awaitQuiet(Duration limit) {
    return Wait.until(limit, LOOK, () -> undecided() + notIndexed() == 0);
  }
}
