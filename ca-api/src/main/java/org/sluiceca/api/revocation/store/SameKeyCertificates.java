package org.sluiceca.api.revocation.store;

import java.util.List;
import java.util.Locale;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Finds other valid certificates that have the key of a given one. The ledger has no index by key,
 * which would cost each certificate: this looks at the newest valid certificates of the same
 * requester, in the index of certificates, which is a second or so behind. Thread-safe.
 */
public final class SameKeyCertificates {

  /** Certificates that are looked at: their keys are hashed by the database, 20 µs each. */
  public static final int CANDIDATES_MAX = 500;

  /** Certificates that are found, at most. */
  public static final int FOUND_MAX = 100;

  private static final String FIND =
      String.format(
          Locale.ROOT,
          """
      SELECT k.serial
      FROM (SELECT c.expiry_week, c.serial FROM certificate_index c
            WHERE c.requester = ? AND c.not_after > now()
              AND c.expiry_week >= (extract(epoch FROM now())::bigint / (7 * 24 * 60 * 60))::integer
            ORDER BY c.issued_at DESC, c.expiry_week DESC, c.serial DESC LIMIT %d) AS k
      JOIN intent i ON i.expiry_week = k.expiry_week AND i.serial = k.serial
      WHERE k.serial <> ? AND spki_sha256(i.tbs) = ?
        AND (SELECT r.reason FROM revocation r
             WHERE r.expiry_week = k.expiry_week AND r.serial = k.serial
             ORDER BY r.event DESC LIMIT 1) IS NULL
      LIMIT %d
      """,
          CANDIDATES_MAX,
          FOUND_MAX);

  private final LedgerSql sql;

  /** Looks in a database that was migrated. */
  public SameKeyCertificates(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * Returns the serial numbers of valid certificates of the same requester and key, without that of
   * {@code certificate}; {@value #FOUND_MAX} at most. Blocks for a few seconds at most.
   *
   * @throws LedgerUnavailable if the database does not answer
   * @throws IllegalStateException if the recorded octets do not parse
   */
  public List<SerialNumber> of(Intent certificate) {
    byte[] serial = certificate.serialNumber().octets();
    byte[] key = keyOf(certificate).sha256().octets();
    return sql.run(
        "certificates of the same key cannot be looked for",
        jdbc ->
            List.copyOf(
                jdbc.sql(FIND)
                    .params(certificate.origin().requester().value(), serial, key)
                    .query((row, number) -> LedgerColumns.serialNumber(row))
                    .list()));
  }

  private static KeyFingerprint keyOf(Intent certificate) {
    try {
      return KeyFingerprint.of(certificate.tbsCertificate());
    } catch (DerException e) {
      throw new IllegalStateException("a recorded certificate does not parse: " + e.fault(), e);
    }
  }
}
