package org.sluiceca.load.drill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
          "UPDATE audit_event SET actor = 'nobody' WHERE sequence = 1",
          "ALTER TABLE audit_event ENABLE TRIGGER USER");

  private static final Duration LOOK = Duration.ofMillis(500);

  private final PostgresServer server;

  /** Of this server; opens nothing yet. */
  public LedgerView(PostgresServer server) {
    this.server = server;
  }

  /** Compares what was given with what is there. */
  public Comparison compare(List<Granted> granted) {
    Map<String, Comparison.Row> rows = new HashMap<>();
    try (Connection connection = server.ledger();
        PreparedStatement statement = connection.prepareStatement(ROWS);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.put(
            row.getString(1),
            new Comparison.Row(row.getString(2), row.getString(3), row.getString(4)));
      }
    } catch (SQLException e) {
      throw new TrialException("cannot read the ledger", e);
    }
    return new Comparison(granted, rows);
  }

  /** Plants a fault: removes a certificate, intent and outcome. */
  void delete(Granted one) {
    try (Connection connection = server.ledger()) {
      for (String sql : DELETE) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setString(1, one.serial());
          if (statement.executeUpdate() != 1) {
            throw new TrialException("nothing to delete: " + sql);
          }
        }
      }
    } catch (SQLException e) {
      throw new TrialException("the fault cannot be planted", e);
    }
  }

  /** Plants a fault, as the owner of the tables could: changes the first row of every chain. */
  void changeAuditTrail() {
    try (Connection connection = server.ledger();
        Statement statement = connection.createStatement()) {
      for (String sql : CHANGE_AUDIT) {
        boolean ignored = statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new TrialException("the fault cannot be planted", e);
    }
  }

  /** Returns how many intents have no outcome. */
  long undecided() {
    return number(UNDECIDED);
  }

  /** Returns how many certificates cannot be found by their names. */
  long notIndexed() {
    return number(NOT_INDEXED);
  }

  /** Returns the serial numbers of all that were ever revoked. */
  Set<String> revoked() {
    Set<String> serials = new TreeSet<>();
    try (Connection connection = server.ledger();
        PreparedStatement statement = connection.prepareStatement(REVOKED);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        boolean ignored = serials.add(row.getString(1));
      }
    } catch (SQLException e) {
      throw new TrialException("cannot read the revocations", e);
    }
    return serials;
  }

  /**
   * Returns a moment, the last up to {@code latest}, at which a certificate of this run was between
   * its intent and its outcome.
   */
  Optional<Instant> momentBetween(String run, Instant latest) {
    try (Connection connection = server.ledger();
        PreparedStatement statement = connection.prepareStatement(BETWEEN)) {
      statement.setString(1, run + "-%");
      statement.setObject(2, latest.atOffset(ZoneOffset.UTC));
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(row.getObject(1, OffsetDateTime.class).toInstant())
            : Optional.empty();
      }
    } catch (SQLException e) {
      throw new TrialException("cannot read the ledger", e);
    }
  }

  /** Returns how many certificates of a run of clients a node has issued. */
  public long issuedBy(String node, String run) {
    try (Connection connection = server.ledger();
        PreparedStatement statement = connection.prepareStatement(ISSUED_BY)) {
      statement.setString(1, run + "-%");
      statement.setString(2, node + ".%");
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    } catch (SQLException e) {
      throw new TrialException("cannot read the ledger", e);
    }
  }

  /** Waits until nothing is undecided and all is indexed; returns false if not in time. */
  boolean awaitQuiet(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (undecided() + notIndexed() > 0) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(LOOK);
    }
    return true;
  }

  private long number(String sql) {
    try (Connection connection = server.ledger();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new TrialException("cannot read the ledger", e);
    }
  }
}
