package org.sluiceca.api.hsm.lease.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.lease.LeaseController;

/**
 * The measured calibrations of tokens, for all nodes. Thread-safe; every method blocks for a few
 * seconds at most and throws {@link LedgerUnavailable} if the database does not answer.
 */
public final class CalibrationStore {

  private static final String PUT =
      """
      INSERT INTO hsm_token (hsm) VALUES (?)
      ON CONFLICT (hsm) DO UPDATE SET calibrated_at = now()
      """;

  /** Its base delays go with it. */
  private static final String DROP_GROUPS = "DELETE FROM hsm_engine_group WHERE hsm = ?";

  private static final String PUT_GROUP =
      "INSERT INTO hsm_engine_group (hsm, engine_group, engines) VALUES (?, ?, ?)";

  private static final String PUT_DELAY =
      """
      INSERT INTO hsm_base_delay (hsm, engine_group, mechanism, key_bits, base_seconds)
      VALUES (?, ?, ?, ?, ?)
      """;

  private static final String FIND =
      """
      SELECT g.engine_group, g.engines, d.mechanism, d.key_bits, d.base_seconds
      FROM hsm_engine_group g
      JOIN hsm_base_delay d ON d.hsm = g.hsm AND d.engine_group = g.engine_group
      WHERE g.hsm = ? ORDER BY g.engine_group
      """;

  /** A token with several groups of engines has a window, and a report, for each. */
  private static final String LIVING =
      """
      SELECT count(DISTINCT node) FROM hsm_node
      WHERE (hsm = ? OR starts_with(hsm, ? || '/'))
        AND reported_at > now() - ? * interval '1 millisecond'
      """;

  private final DataSource connections;

  /** Keeps calibrations in a database that was migrated. */
  public CalibrationStore(LedgerDatabase database) {
    this.connections = database.leasing();
  }

  /** Keeps a token's calibration in place of the one before. Nodes read it when they start. */
  public void put(String hsm, Calibration calibration) {
    try (Connection connection = connections.getConnection()) {
      try (PreparedStatement token = connection.prepareStatement(PUT);
          PreparedStatement drop = connection.prepareStatement(DROP_GROUPS)) {
        token.setString(1, hsm);
        token.executeUpdate();
        drop.setString(1, hsm);
        drop.executeUpdate();
      }
      int number = 0;
      for (EngineGroup group : calibration.groups()) {
        put(connection, hsm, ++number, group);
      }
      connection.commit();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the calibration of token " + hsm + " cannot be kept", e);
    }
  }

  private static void put(Connection connection, String hsm, int number, EngineGroup engines)
      throws SQLException {
    try (PreparedStatement group = connection.prepareStatement(PUT_GROUP);
        PreparedStatement delay = connection.prepareStatement(PUT_DELAY)) {
      group.setString(1, hsm);
      group.setInt(2, number);
      group.setInt(3, engines.engines());
      group.executeUpdate();
      for (Map.Entry<SignatureClass, Double> base : engines.baseSeconds().entrySet()) {
        delay.setString(1, hsm);
        delay.setInt(2, number);
        delay.setString(3, base.getKey().mechanism().name());
        delay.setInt(4, base.getKey().keyBits());
        delay.setDouble(5, base.getValue());
        delay.executeUpdate();
      }
    }
  }

  /** A group of engines while its rows are read. */
  private record Found(int engines, Map<SignatureClass, Double> baseSeconds) {

    EngineGroup group() {
      return new EngineGroup(engines, baseSeconds);
    }
  }

  /** Returns a token's calibration; empty if it was never measured. */
  public Optional<Calibration> find(String hsm) {
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, hsm);
      SortedMap<Integer, Found> groups = new TreeMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          int engines = row.getInt("engines");
          Mechanism mechanism = Mechanism.valueOf(row.getString("mechanism"));
          groups
              .computeIfAbsent(row.getInt("engine_group"), g -> new Found(engines, new HashMap<>()))
              .baseSeconds()
              .put(
                  new SignatureClass(mechanism, row.getInt("key_bits")),
                  row.getDouble("base_seconds"));
        }
      }
      connection.commit();
      return groups.isEmpty()
          ? Optional.empty()
          : Optional.of(new Calibration(groups.values().stream().map(Found::group).toList()));
    } catch (SQLException e) {
      throw new LedgerUnavailable("the calibration of token " + hsm + " cannot be read", e);
    }
  }

  /** Returns how many nodes use a token at present, those with fixed windows not counted. */
  public int nodesAtWork(String hsm) {
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(LIVING)) {
      statement.setString(1, hsm);
      statement.setString(2, hsm);
      statement.setLong(3, LeaseController.LEASE.toMillis());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        int living = row.getInt(1);
        connection.commit();
        return living;
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the nodes on token " + hsm + " cannot be read", e);
    }
  }
}
