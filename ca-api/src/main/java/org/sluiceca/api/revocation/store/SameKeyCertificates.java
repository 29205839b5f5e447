package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sluiceca.api.platform.store.LedgerDatabase;
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

  private final LedgerDatabase database;

  /** Looks in a database that was migrated. */
  public SameKeyCertificates(LedgerDatabase database) {
    this.database = database;
  }

  /**
   * Returns the serial numbers of valid certificates of the same requester and key, without that of
   * {@code certificate}; {@value #FOUND_MAX} at most. Blocks for a few seconds at most.
   *
   * @throws LedgerUnavailable if the database does not answer
   * @throws IllegalStateException if the recorded octets do not parse
   */
  public List<SerialNumber> of(Intent certificate) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, certificate.origin().requester().value());
      statement.setBytes(2, certificate.serialNumber().octets());
      statement.setBytes(3, KeyFingerprint.of(certificate.tbsCertificate()).sha256().octets());
      List<SerialNumber> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(SerialNumber.of(row.getBytes(1)));
        }
      }
      return List.copyOf(found);
    } catch (SQLException e) {
      throw new LedgerUnavailable("certificates of the same key cannot be looked for", e);
    } catch (DerException e) {
      throw new IllegalStateException("a recorded certificate does not parse: " + e.fault(), e);
    }
  }
}
