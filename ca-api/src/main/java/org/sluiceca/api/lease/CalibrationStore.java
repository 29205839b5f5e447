package org.sluiceca.api.lease;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.lease.LeaseController;

/**
 * What tokens were measured to be, for all nodes. Thread-safe; every method blocks for a few
 * seconds at most and throws {@link LedgerUnavailable} if the database does not answer.
 */
public final class CalibrationStore {

  private static final String PUT =
      """
      INSERT INTO hsm_token (hsm, engines) VALUES (?, ?)
      ON CONFLICT (hsm) DO UPDATE SET engines = excluded.engines, calibrated_at = now()
      """;

  private static final String DROP_DELAYS = "DELETE FROM hsm_base_delay WHERE hsm = ?";

  private static final String PUT_DELAY =
      "INSERT INTO hsm_base_delay (hsm, mechanism, key_bits, base_seconds) VALUES (?, ?, ?, ?)";

  private static final String FIND =
      """
      SELECT t.engines, d.mechanism, d.key_bits, d.base_seconds
      FROM hsm_token t JOIN hsm_base_delay d ON d.hsm = t.hsm WHERE t.hsm = ?
      """;

  private static final String LIVING =
      """
      SELECT count(*) FROM hsm_node
      WHERE hsm = ? AND reported_at > now() - ? * interval '1 millisecond'
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
          PreparedStatement drop = connection.prepareStatement(DROP_DELAYS);
          PreparedStatement delay = connection.prepareStatement(PUT_DELAY)) {
        token.setString(1, hsm);
        token.setInt(2, calibration.engines());
        token.executeUpdate();
        drop.setString(1, hsm);
        drop.executeUpdate();
        for (Map.Entry<SignatureClass, Double> base : calibration.baseSeconds().entrySet()) {
          delay.setString(1, hsm);
          delay.setString(2, base.getKey().mechanism().name());
          delay.setInt(3, base.getKey().keyBits());
          delay.setDouble(4, base.getValue());
          delay.executeUpdate();
        }
      }
      connection.commit();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the calibration of token " + hsm + " cannot be kept", e);
    }
  }

  /** Returns a token's calibration; empty if it was never measured. */
  public Optional<Calibration> find(String hsm) {
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, hsm);
      int engines = 0;
      Map<SignatureClass, Double> baseSeconds = new HashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          engines = row.getInt("engines");
          Mechanism mechanism = Mechanism.valueOf(row.getString("mechanism"));
          baseSeconds.put(
              new SignatureClass(mechanism, row.getInt("key_bits")), row.getDouble("base_seconds"));
        }
      }
      connection.commit();
      return baseSeconds.isEmpty()
          ? Optional.empty()
          : Optional.of(new Calibration(engines, baseSeconds));
    } catch (SQLException e) {
      throw new LedgerUnavailable("the calibration of token " + hsm + " cannot be read", e);
    }
  }

  /** Returns how many nodes use a token at present, those with fixed windows not counted. */
  public int nodesAtWork(String hsm) {
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(LIVING)) {
      statement.setString(1, hsm);
      statement.setLong(2, LeaseController.LEASE.toMillis());
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
