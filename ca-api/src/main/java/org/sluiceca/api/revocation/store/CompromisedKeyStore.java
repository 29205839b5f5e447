package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Reads which keys revocations have reported as compromised; the revocations themselves write them
 * (schema V18). Thread-safe; every method blocks for at most a few seconds and throws {@link
 * LedgerUnavailable} if the database does not answer.
 */
public final class CompromisedKeyStore {

  private static final String CONTAINS =
      """
      SELECT FROM compromised_key WHERE spki_sha256 = ?
      UNION ALL
      SELECT FROM compromised_key_claim WHERE spki_sha256 = ? AND requester = ?
      """;

  private static final String REPORTED_BY_ITS_REQUESTER =
      """
      SELECT FROM intent i
      JOIN compromised_key_claim c
        ON c.spki_sha256 = spki_sha256(i.tbs) AND c.requester = i.requester
      WHERE i.expiry_week = ? AND i.serial = ?
      """;

  // A row's time is that of its transaction's beginning, so one that commits later may be older.
  private static final String SINCE =
      """
      SELECT spki_sha256, recorded_at FROM compromised_key
      WHERE recorded_at > ? - CASE WHEN now() - ? < interval '1 minute'
                                   THEN interval '1 minute' ELSE interval '0' END
      ORDER BY recorded_at DESC LIMIT ?
      """;

  private final LedgerDatabase database;

  /** Reads from a database that was migrated. */
  public CompromisedKeyStore(LedgerDatabase database) {
    this.database = database;
  }

  /** A key and the database's time at which it was recorded. */
  public record Recorded(KeyFingerprint key, Instant at) {}

  /**
   * Returns whether the key is compromised for a requester, as of the latest commit: an officer or
   * the requester itself has reported it.
   */
  public boolean contains(KeyFingerprint key, RequesterId requester) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(CONTAINS)) {
      statement.setBytes(1, key.sha256().octets());
      statement.setBytes(2, key.sha256().octets());
      statement.setString(3, requester.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the compromised keys cannot be read", e);
    }
  }

  /**
   * Returns whether the requester of this certificate has reported its key as compromised, by
   * whichever of its certificates.
   */
  public boolean isReportedByItsRequester(SerialNumber certificate) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(REPORTED_BY_ITS_REQUESTER)) {
      statement.setInt(1, certificate.expiryWeek().number());
      statement.setBytes(2, certificate.octets());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the compromised keys cannot be read", e);
    }
  }

  /**
   * Returns the keys, compromised for everybody, that were recorded after {@code newest}, the
   * newest first, and for a minute of the database's time also those of the minute before: a
   * transaction that began earlier, which lasts 10 s at most, may have committed later.
   */
  public List<Recorded> since(Instant newest, int max) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(SINCE)) {
      statement.setObject(1, newest.atOffset(ZoneOffset.UTC));
      statement.setObject(2, newest.atOffset(ZoneOffset.UTC));
      statement.setInt(3, max);
      List<Recorded> keys = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          keys.add(
              new Recorded(
                  new KeyFingerprint(OctetString.copyOf(row.getBytes("spki_sha256"))),
                  row.getObject("recorded_at", OffsetDateTime.class).toInstant()));
        }
      }
      return List.copyOf(keys);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the compromised keys cannot be read", e);
    }
  }
}
