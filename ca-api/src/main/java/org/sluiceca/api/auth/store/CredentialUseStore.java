package org.sluiceca.api.auth.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * When credentials were last used. Thread-safe; blocks for a few seconds at most and throws {@link
 * LedgerUnavailable} if the database does not answer: writing again is safe.
 */
public final class CredentialUseStore {

  /**
   * What another node has written already is not written again. In the order of the ids, so that
   * two nodes never wait for each other; a credential that a restored database lacks is left out. A
   * node whose clock is ahead writes no hour that the database's has not reached.
   */
  private static final String RECORD =
      """
      INSERT INTO credential_use AS k (credential, used_at)
      SELECT n.credential, n.used_at
      FROM (
        SELECT credential, least(to_timestamp(second), date_trunc('hour', now(), 'UTC')) AS used_at
        FROM unnest(?, ?) AS raw (credential, second)
      ) AS n
        JOIN credential c ON c.id = n.credential
        LEFT JOIN credential_use u ON u.credential = n.credential
      WHERE u.used_at IS NULL OR u.used_at < n.used_at
      ORDER BY n.credential
      ON CONFLICT (credential) DO UPDATE SET used_at = EXCLUDED.used_at
        WHERE k.used_at < EXCLUDED.used_at
      """;

  private final LedgerSql sql;

  /** Writes to a database that was migrated. */
  public CredentialUseStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * Records the last uses of some thousand credentials at most; an earlier one than is known
   * changes nothing. Returns how many rows were written.
   */
  public int record(Map<UUID, Instant> lastUses) {
    List<Map.Entry<UUID, Instant>> uses = List.copyOf(lastUses.entrySet());
    return sql.run(
        "the last uses of credentials cannot be recorded",
        jdbc ->
            jdbc.sql(RECORD)
                .param(new SqlArrayValue("uuid", uses.stream().map(Map.Entry::getKey).toArray()))
                .param(
                    new SqlArrayValue(
                        "bigint", uses.stream().map(u -> u.getValue().getEpochSecond()).toArray()))
                .update());
  }
}
