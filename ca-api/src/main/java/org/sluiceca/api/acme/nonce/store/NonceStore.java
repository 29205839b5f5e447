package org.sluiceca.api.acme.nonce.store;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Spent nonces in unlogged tables. A crash of the database empties them together with the epoch, so
 * that no nonce from before counts as unspent. Thread-safe; blocks for a statement.
 */
public final class NonceStore {

  private static final String NEW_EPOCH =
      "INSERT INTO acme_nonce_epoch (epoch) VALUES (?) ON CONFLICT (is_only) DO NOTHING";

  private static final String EPOCH = "SELECT epoch FROM acme_nonce_epoch";

  private static final String SPEND =
      """
      INSERT INTO acme_nonce (slot, nonce)
      SELECT n.slot, n.nonce
      FROM unnest(?, ?, ?) AS n (slot, nonce, epoch)
        JOIN acme_nonce_epoch e ON e.epoch = n.epoch
      ORDER BY n.slot, n.nonce
      ON CONFLICT (slot, nonce) DO NOTHING
      RETURNING nonce
      """;

  private static final String REMOVE =
      """
      DELETE FROM acme_nonce WHERE ctid IN (SELECT n.ctid FROM acme_nonce n WHERE n.slot < ? LIMIT ?)
      """;

  /** A nonce that a request has presented. */
  public record Spending(int slot, OctetString nonce, OctetString epoch) {}

  private final LedgerSql sql;

  /** Keeps nonces in a database that was migrated. */
  public NonceStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Returns the epoch of all nodes; {@code fresh} becomes it if there is none. */
  public OctetString epoch(OctetString fresh) {
    return sql.run(
        "the epoch of nonces cannot be read",
        jdbc -> {
          int _ = jdbc.sql(NEW_EPOCH).param(fresh.octets()).update();
          return jdbc.sql(EPOCH)
              .query((row, number) -> OctetString.copyOf(row.getBytes("epoch")))
              .single();
        });
  }

  /** Spends nonces of distinct octets; returns those that were not spent before, in this epoch. */
  public Set<OctetString> spend(List<Spending> nonces) {
    return new HashSet<>(
        sql.run(
            "nonces cannot be spent",
            jdbc ->
                jdbc.sql(SPEND)
                    .param(
                        new SqlArrayValue("integer", nonces.stream().map(Spending::slot).toArray()))
                    .param(bytes(nonces.stream().map(Spending::nonce).toList()))
                    .param(bytes(nonces.stream().map(Spending::epoch).toList()))
                    .query((row, number) -> OctetString.copyOf(row.getBytes("nonce")))
                    .list()));
  }

  /** Removes nonces of slots before {@code slot}, {@code max} at most; returns how many. */
  public int remove(int slot, int max) {
    return sql.run(
        "spent nonces cannot be removed", jdbc -> jdbc.sql(REMOVE).params(slot, max).update());
  }

  private static SqlArrayValue bytes(List<OctetString> octets) {
    Object[] arrays = octets.stream().map(OctetString::octets).toArray(byte[][]::new);
    return new SqlArrayValue("bytea", arrays);
  }
}
