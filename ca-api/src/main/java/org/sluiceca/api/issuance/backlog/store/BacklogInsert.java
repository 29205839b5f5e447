package org.sluiceca.api.issuance.backlog.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.platform.store.ArrayParameter;

/** The part of a transaction that puts intents which it has just recorded into the backlog. */
public final class BacklogInsert {

  private static final List<ArrayParameter<IntentRow>> COLUMNS =
      List.of(
          new ArrayParameter<>("int4", r -> r.serialNumber().expiryWeek().number()),
          new ArrayParameter<>("bytea", r -> r.serialNumber().octets()),
          new ArrayParameter<>("text", r -> r.intent().origin().requester().value()));

  private static final Comparator<IntentRow> REQUESTER_ORDER =
      Comparator.comparing(r -> r.intent().origin().requester().value());

  // Every transaction locks depths in the order of requesters' names, so that none waits in a
  // circle (deadlock).
  private static final String INSERT =
      String.format(
          Locale.ROOT,
          """
      WITH slot AS (SELECT floor(random() * %d)::smallint AS slot),
      put AS (
        INSERT INTO backlog (expiry_week, serial, requester)
        SELECT n.expiry_week, n.serial, n.requester
        FROM unnest(?, ?, ?) AS n (expiry_week, serial, requester)
        RETURNING requester)
      INSERT INTO backlog_depth AS d (requester, slot, orders, taken)
      SELECT p.requester, s.slot, count(*), 0
      FROM put p CROSS JOIN slot s
      GROUP BY p.requester, s.slot
      ORDER BY p.requester
      ON CONFLICT (requester, slot) DO UPDATE SET orders = d.orders + excluded.orders
      """,
          BacklogTake.SLOTS);

  private final Connection connection;

  /** Writes in the transaction of {@code connection}; commits nothing. */
  public BacklogInsert(Connection connection) {
    this.connection = connection;
  }

  /** Adds orders, in the order of their requests for each requester. */
  public void add(List<IntentRow> orders) throws SQLException {
    if (orders.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      ArrayParameter.bind(statement, orders.stream().sorted(REQUESTER_ORDER).toList(), COLUMNS);
      int _ = statement.executeUpdate();
    }
  }
}
