package org.sluiceca.api.platform.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/**
 * Creates the ledger's partitions, one for each expiry week. A recording never fails for want of
 * one: those of the common lifetimes are made ahead, any other, such as a CA certificate's in
 * twenty years, when the first intent of its week comes. Thread-safe.
 */
public final class PartitionKeeper {

  /** Weeks made ahead: public TLS certificates last at most 47 days from 2029, 90 are common. */
  static final int WEEKS_AHEAD = 16;

  private static final String CREATE_AHEAD =
      """
      SELECT ensure_expiry_weeks(array_agg(
        (extract(epoch FROM now())::bigint / (7 * 24 * 60 * 60))::integer + ahead.weeks))
      FROM generate_series(0, ?) AS ahead (weeks)
      """;

  private static final String CREATE = "SELECT ensure_expiry_weeks(?)";

  private final DataSource connections;

  // Weeks known to exist. The partition of a week that is not over is never dropped.
  private final Set<Integer> known = ConcurrentHashMap.newKeySet();

  PartitionKeeper(DataSource connections) {
    this.connections = connections;
  }

  /**
   * Creates what is missing of this week's and the following weeks' partitions. Called daily by
   * {@link LedgerUpkeep}; migration has done so too. Blocks for at most a few seconds.
   *
   * @throws LedgerUnavailable if the database cannot; harmless, for recordings create what they
   *     need
   */
  public void createAhead() {
    try (Connection connection = connections.getConnection()) {
      createAhead(connection);
    } catch (SQLException e) {
      throw new LedgerUnavailable("cannot create partitions ahead", e);
    }
  }

  static void createAhead(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CREATE_AHEAD)) {
      statement.setInt(1, WEEKS_AHEAD);
      statement.execute();
    }
  }

  /** Creates the partitions that are not known yet, in a transaction before the batch's own. */
  public void ensure(Connection connection, Set<Integer> weeks) throws SQLException {
    if (known.containsAll(weeks)) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(CREATE)) {
      statement.setArray(1, connection.createArrayOf("int4", weeks.toArray()));
      statement.execute();
    }
    connection.commit();
    known.addAll(weeks);
  }
}
