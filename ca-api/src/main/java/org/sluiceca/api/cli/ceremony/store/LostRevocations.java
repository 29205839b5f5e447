package org.sluiceca.api.cli.ceremony.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * Revocations that a CRL has and a restored ledger has not, recorded again, also of certificates
 * that the ledger does not know. Thread-safe; blocks as {@link PostgresRevocationStore} does.
 */
public final class LostRevocations {

  /** A node may record an event of the same certificate meanwhile, hardly twice. */
  private static final int TRIES = 5;

  private static final long SECONDS_PER_WEEK = 7L * 24 * 60 * 60;

  private static final String WEEKS = "SELECT ensure_expiry_weeks(ARRAY[?::integer])";

  private static final String FIND =
      "SELECT issuer, tbs FROM intent WHERE expiry_week = ? AND serial = ?";

  private final LedgerDatabase database;
  private final PostgresRevocationStore revocations;

  /** Records in a database that was migrated. */
  public LostRevocations(LedgerDatabase database) {
    this.database = database;
    this.revocations = new PostgresRevocationStore(database);
  }

  /**
   * Records an entry of a CRL unless it is revoked already; a certificate that was on hold here and
   * is revoked for good there becomes so. Returns whether anything was recorded.
   *
   * @param published the CRL
   * @throws IllegalArgumentException if the certificate is of another issuer
   * @throws LedgerUnavailable if the database does not answer; asking again is safe
   */
  public boolean restore(CrlScope published, SerialNumber serialNumber, Change.Revoked revoked) {
    CrlScope scope = scope(published, serialNumber);
    for (int tries = 0; tries < TRIES; tries++) {
      RevocationStatus status = revocations.status(serialNumber);
      if (!isLost(status, revoked)) {
        return false;
      }
      RevocationEvent event =
          new RevocationEvent(
              serialNumber,
              status.events() + 1,
              scope,
              RestoredCertificates.REQUESTER,
              // No later than its serial number says: an entry must not leave a CRL too early.
              Instant.ofEpochSecond((serialNumber.expiryWeek().number() + 1) * SECONDS_PER_WEEK),
              revoked);
      if (revocations.append(event).isPresent()) {
        return true;
      }
    }
    throw new LedgerUnavailable(serialNumber + " is revoked and released by others all the time");
  }

  /**
   * The standing revocation may have become a more severe one since: a hold became final, a key was
   * compromised.
   */
  private static boolean isLost(RevocationStatus status, Change.Revoked revoked) {
    return status
        .revocation()
        .map(Revocation::reason)
        .map(
            standing ->
                standing != revoked.reason()
                    && (standing == RevocationReason.CERTIFICATE_HOLD
                        || revoked.reason() == RevocationReason.KEY_COMPROMISE))
        .orElse(true);
  }

  /**
   * Returns whether the ledger has an intent of this serial number.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public boolean isKnown(SerialNumber serialNumber) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setInt(1, serialNumber.expiryWeek().number());
      statement.setBytes(2, serialNumber.octets());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the ledger cannot be read", e);
    }
  }

  /** Returns the scope that the certificate itself names, if it is known. */
  private CrlScope scope(CrlScope published, SerialNumber serialNumber) {
    try (Connection connection = database.general().getConnection()) {
      try (PreparedStatement weeks = connection.prepareStatement(WEEKS)) {
        weeks.setInt(1, serialNumber.expiryWeek().number());
        boolean _ = weeks.execute();
      }
      try (PreparedStatement statement = connection.prepareStatement(FIND)) {
        statement.setInt(1, serialNumber.expiryWeek().number());
        statement.setBytes(2, serialNumber.octets());
        try (ResultSet row = statement.executeQuery()) {
          if (!row.next()) {
            return published;
          }
          if (!row.getString("issuer").equals(published.issuer().value())) {
            throw new IllegalArgumentException(
                serialNumber + " is of issuer " + row.getString("issuer"));
          }
          return CrlScope.of(published.issuer(), TbsCertificateDer.of(row.getBytes("tbs")))
              .orElse(published);
        }
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the ledger cannot be read", e);
    }
  }
}
