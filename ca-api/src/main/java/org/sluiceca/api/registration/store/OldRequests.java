package org.sluiceca.api.registration.store;

import java.time.Duration;
import java.time.Instant;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/** Removes requests that ended long ago. Thread-safe. */
public final class OldRequests {

  /** A client may ask a little longer than its certificate lasts. */
  private static final Duration EXPIRED_KEPT = Duration.ofDays(7);

  /** The week of expiry comes first in a serial number. */
  private static final String REMOVE_RECORDED =
      """
      DELETE FROM certificate_request WHERE id IN (
        SELECT r.id FROM certificate_request r WHERE r.serial < ? ORDER BY r.serial LIMIT ?)
      """;

  private static final String REMOVE_REFUSED =
      """
      DELETE FROM certificate_request WHERE serial IS NULL AND id IN (
        SELECT r.id FROM certificate_request r
        WHERE r.refusal IS NOT NULL AND r.created_at < ?
        ORDER BY r.created_at LIMIT ?)
      """;

  private static final String REMOVE_EXPIRED =
      """
      DELETE FROM certificate_request WHERE csr IS NULL AND id IN (
        SELECT r.id FROM certificate_request r
        WHERE r.csr IS NULL AND r.expires_at < ?
        ORDER BY r.expires_at LIMIT ?)
      """;

  private final LedgerSql sql;

  /** For a migrated database. */
  public OldRequests(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * Removes requests that got no CSR in time, those that were refused longer than {@code age} ago,
   * and those whose certificates have expired for a week, {@code max} of each at most; returns how
   * many.
   */
  public int remove(Duration age, Instant now, int max) {
    byte[] oldest =
        SerialNumber.compose(
                ExpiryWeek.of(now.minus(EXPIRED_KEPT)), new byte[SerialNumber.RANDOM_OCTETS])
            .octets();
    return sql.run(
        "old requests cannot be removed",
        jdbc ->
            jdbc.sql(REMOVE_EXPIRED).params(RequestRow.time(now), max).update()
                + jdbc.sql(REMOVE_REFUSED).params(RequestRow.time(now.minus(age)), max).update()
                + jdbc.sql(REMOVE_RECORDED).params(oldest, max).update());
  }
}
