package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.sluiceca.api.issuance.backlog.store.BacklogTake;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.OrderStore;
import org.sluiceca.core.order.BacklogDepths;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The backlog on PostgreSQL, in the tables next to the ledger's. Orders are recorded in the same
 * transactions as intents; taking uses a connection of its own. Thread-safe.
 */
public final class PostgresOrderStore implements OrderStore {

  /** Rows are counted up to this number; beyond it an error of a hundred does not matter. */
  private static final int COUNTED_MAX = 500;

  private static final String DEPTHS =
      """
      SELECT d.requester, sum(d.orders)::bigint AS orders, sum(d.taken)::bigint AS taken
      FROM backlog_depth d GROUP BY d.requester ORDER BY d.requester
      """;

  // The first and the last row of the requester are one step into the index each.
  private static final String BEFORE =
      """
      SELECT b.requester, b.seq,
        (SELECT min(f.seq) FROM backlog f WHERE f.requester = b.requester) AS first,
        (SELECT max(l.seq) FROM backlog l WHERE l.requester = b.requester) AS last,
        (SELECT sum(d.orders) FROM backlog_depth d WHERE d.requester = b.requester)::bigint
          AS depth,
        (SELECT count(*) FROM (SELECT FROM backlog q
          WHERE q.requester = b.requester AND q.seq < b.seq LIMIT ?) counted) AS counted
      FROM backlog b
      WHERE b.expiry_week = ? AND b.serial = ?
      """;

  private final LedgerDatabase database;
  private final PostgresLedgerStore ledger;

  /** The backlog of {@code ledger}, which records into {@code database}. */
  public PostgresOrderStore(LedgerDatabase database, PostgresLedgerStore ledger) {
    this.database = database;
    this.ledger = ledger;
  }

  @Override
  public IntentAnswer recordOrder(Intent intent, NodeId recorder, Deadline deadline) {
    return ledger.record(IntentRow.order(intent, recorder, deadline));
  }

  @Override
  public List<TakenOver> takeOrders(ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
    ledger.requireSound(terms.lifetime());
    if (most.isEmpty()) {
      return List.of();
    }
    try (Connection connection = database.general().getConnection()) {
      return BacklogTake.of(connection, terms, most);
    } catch (SQLException e) {
      throw new LedgerUnavailable("orders cannot be taken out of the backlog", e);
    }
  }

  @Override
  public BacklogDepths depths() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(DEPTHS);
        ResultSet result = statement.executeQuery()) {
      SequencedMap<RequesterId, Long> depths = new LinkedHashMap<>();
      long taken = 0;
      while (result.next()) {
        depths.put(new RequesterId(result.getString("requester")), result.getLong("orders"));
        taken += result.getLong("taken");
      }
      return new BacklogDepths(depths, taken);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the backlog cannot be read", e);
    }
  }

  @Override
  public Optional<Long> before(SerialNumber serialNumber) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(BEFORE)) {
      statement.setInt(1, COUNTED_MAX);
      statement.setInt(2, serialNumber.expiryWeek().number());
      statement.setBytes(3, serialNumber.octets());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(before(row)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the backlog cannot be read", e);
    }
  }

  /** Counted if few; else where it stands between the first and the last, which were numbered. */
  private static long before(ResultSet row) throws SQLException {
    long counted = row.getLong("counted");
    long span = row.getLong("last") - row.getLong("first");
    if (counted < COUNTED_MAX || span == 0) {
      return counted;
    }
    double part = (row.getLong("seq") - row.getLong("first")) / (double) span;
    return Math.max(counted, Math.round(part * row.getLong("depth")));
  }
}
