package org.sluiceca.api.hsm.lease.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.lease.LeaseController;
import org.springframework.jdbc.core.simple.JdbcClient;

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

  private final LedgerSql sql;

  /** Keeps calibrations in a database that was migrated. */
  public CalibrationStore(LedgerDatabase database) {
    this.sql = new LedgerSql(database.leasing());
  }

  /** Keeps a token's calibration in place of the one before. Nodes read it when they start. */
  public void put(String hsm, Calibration calibration) {
    int _ =
        sql.transaction(
            "the calibration of token " + hsm + " cannot be kept",
            jdbc -> {
              int _ = jdbc.sql(PUT).param(hsm).update();
              int _ = jdbc.sql(DROP_GROUPS).param(hsm).update();
              int number = 0;
              for (EngineGroup group : calibration.groups()) {
                put(jdbc, hsm, ++number, group);
              }
              return number;
            });
  }

  private static void put(JdbcClient jdbc, String hsm, int number, EngineGroup group) {
    int _ = jdbc.sql(PUT_GROUP).params(hsm, number, group.engines()).update();
    group
        .baseSeconds()
        .forEach(
            (signature, seconds) -> {
              int _ =
                  jdbc.sql(PUT_DELAY)
                      .params(hsm, number, signature.mechanism().name())
                      .params(signature.keyBits(), seconds)
                      .update();
            });
  }

  /** A group of engines while its rows are read. */
  private record Found(int engines, Map<SignatureClass, Double> baseSeconds) {

    EngineGroup group() {
      return new EngineGroup(engines, baseSeconds);
    }
  }

  /** Returns a token's calibration; empty if it was never measured. */
  public Optional<Calibration> find(String hsm) {
    SortedMap<Integer, Found> groups =
        sql.run(
            "the calibration of token " + hsm + " cannot be read",
            jdbc -> jdbc.sql(FIND).param(hsm).query(CalibrationStore::groups));
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(new Calibration(groups.values().stream().map(Found::group).toList()));
  }

  private static SortedMap<Integer, Found> groups(ResultSet row) throws SQLException {
    SortedMap<Integer, Found> groups = new TreeMap<>();
    while (row.next()) {
      int engines = row.getInt("engines");
      Mechanism mechanism = Mechanism.valueOf(row.getString("mechanism"));
      groups
          .computeIfAbsent(row.getInt("engine_group"), g -> new Found(engines, new HashMap<>()))
          .baseSeconds()
          .put(
              new SignatureClass(mechanism, row.getInt("key_bits")), row.getDouble("base_seconds"));
    }
    return groups;
  }

  /** Returns how many nodes use a token at present, those with fixed windows not counted. */
  public int nodesAtWork(String hsm) {
    return sql.run(
        "the nodes on token " + hsm + " cannot be read",
        jdbc ->
            jdbc.sql(LIVING)
                .params(hsm, hsm, LeaseController.LEASE.toMillis())
                .query(Integer.class)
                .single());
  }
}
