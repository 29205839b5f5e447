package org.sluiceca.api.cli.ceremony.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * Certificates that were issued, in a restored ledger that may not know them. Rows are only added.
 * For one thread; each call blocks for some milliseconds, and throws {@link LedgerUnavailable} if
 * the database does not answer: it can then be done again on a new one.
 */
public final class RestoredCertificates implements AutoCloseable {

  /** The requester of a certificate of which nothing else is known. */
  public static final RequesterId REQUESTER = new RequesterId("sluice.restored");

  /** The profile of such a certificate: none has this name, so it cannot be renewed. */
  public static final ProfileName PROFILE = new ProfileName("restored");

  private static final String FIND =
      """
      SELECT i.tbs, o.kind, o.signature FROM intent i
      LEFT JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
      WHERE i.expiry_week = ? AND i.serial = ?
      """;

  private static final String INSERT_INTENT =
      """
      INSERT INTO intent (expiry_week, serial, recorded_at, claim_owner, claim_until, requester,
        profile, issuer, signature_algorithm, payload_hash, tbs)
      SELECT ?, ?,
        greatest(now(), (SELECT greatest(w.announced, w.swept_before) FROM recovery_watermark w)),
        ?, now(), ?, ?, ?, ?, sha256(?), ?
      """;

  private static final String RECORD_COMPROMISE =
      """
      INSERT INTO compromised_key (spki_sha256, expiry_week, serial)
      SELECT spki_sha256(c.tbs), r.expiry_week, r.serial
      FROM (SELECT ?::bytea AS tbs) AS c, revocation r
      WHERE r.expiry_week = ? AND r.serial = ? AND r.reason = 1 AND spki_sha256(c.tbs) IS NOT NULL
      LIMIT 1
      ON CONFLICT (spki_sha256) DO NOTHING
      """;

  private static final String INSERT_ISSUED =
      """
      INSERT INTO outcome (expiry_week, serial, kind, signature, owner, epoch)
      SELECT ?, ?, 'issued', ?, ?, coalesce((SELECT max(c.epoch) FROM claim c
        WHERE c.expiry_week = ? AND c.serial = ?), 0) + 1
      ON CONFLICT (expiry_week, serial) DO NOTHING
      """;

  private final Connection connection;
  private final NodeId owner;

  /** The result for a certificate: what the ledger knew of it, and what was done. */
  public enum Finding {
    /** It was there. */
    KNOWN,
    /** Nothing was known: it has an intent and an outcome now. */
    TAKEN_IN,
    /** Its intent was undecided: it is the outcome now. */
    DECIDED,
    /** Its intent was given up before, and so it is on the CRL: that stands. */
    GIVEN_UP,
    /** Another certificate of this serial number is there: two exist. */
    OTHER
  }

  /** A certificate whose signature verifies under an issuer of this CA. */
  public record Verified(
      SerialNumber serialNumber,
      IssuerName issuer,
      TbsCertificateDer tbs,
      SignatureAlgorithm algorithm,
      OctetString signature) {}

  /**
   * Opens a ledger that was migrated.
   *
   * @param owner whose its outcomes are
   */
  public RestoredCertificates(LedgerDatabase database, NodeId owner) {
    this.owner = owner;
    this.connection = open(database);
  }

  /** A connection without limits in time, and durable whatever the server's configuration says. */
  static Connection open(LedgerDatabase database) {
    try {
      Connection opened = database.reading();
      try (PreparedStatement statement = opened.prepareStatement("SET synchronous_commit = on")) {
        boolean _ = statement.execute();
      }
      opened.setAutoCommit(false);
      return opened;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the database does not answer", e);
    }
  }

  /** Takes a certificate into the ledger, unless it is there; durable when it returns. */
  public Finding takeIn(Verified certificate) {
    try {
      Optional<Finding> standing = find(certificate);
      if (standing.isPresent()) {
        connection.rollback();
        return standing.get();
      }
      boolean isUndecided = isIntent(certificate.serialNumber());
      if (!isUndecided) {
        insertIntent(certificate);
      }
      boolean isInserted = insertOutcome(certificate);
      connection.commit();
      if (isInserted) {
        return isUndecided ? Finding.DECIDED : Finding.TAKEN_IN;
      }
      // Of two at once the other was first: its record is examined.
      Finding first = find(certificate).orElse(Finding.OTHER);
      connection.rollback();
      return first;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the certificate cannot be recorded", e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the database does not answer", e);
    }
  }

  private boolean isIntent(SerialNumber serialNumber) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      bind(statement, 1, serialNumber);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Empty if nothing stands in the way of recording it. */
  private Optional<Finding> find(Verified certificate) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      bind(statement, 1, certificate.serialNumber());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        if (!Arrays.equals(row.getBytes("tbs"), certificate.tbs().encoded())) {
          return Optional.of(Finding.OTHER);
        }
        @Nullable String kind = row.getString("kind");
        if (kind == null) {
          return Optional.empty();
        }
        if (!kind.equals("issued")) {
          return Optional.of(Finding.GIVEN_UP);
        }
        return Optional.of(
            Arrays.equals(row.getBytes("signature"), certificate.signature().octets())
                ? Finding.KNOWN
                : Finding.OTHER);
      }
    }
  }

  private void insertIntent(Verified certificate) throws SQLException {
    try (PreparedStatement weeks =
        connection.prepareStatement("SELECT ensure_expiry_weeks(ARRAY[?::integer])")) {
      weeks.setInt(1, certificate.serialNumber().expiryWeek().number());
      boolean _ = weeks.execute();
    }
    try (PreparedStatement statement = connection.prepareStatement(INSERT_INTENT)) {
      byte[] tbs = certificate.tbs().encoded();
      bind(statement, 1, certificate.serialNumber());
      statement.setString(3, owner.value());
      statement.setString(4, REQUESTER.value());
      statement.setString(5, PROFILE.value());
      statement.setString(6, certificate.issuer().value());
      statement.setString(7, certificate.algorithm().name());
      statement.setBytes(8, tbs);
      statement.setBytes(9, tbs);
      int _ = statement.executeUpdate();
    }
    recordCompromise(certificate);
  }

  /** Its revocation may have come first, from a CRL, when no key was known for it. */
  private void recordCompromise(Verified certificate) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RECORD_COMPROMISE)) {
      statement.setBytes(1, certificate.tbs().encoded());
      bind(statement, 2, certificate.serialNumber());
      int _ = statement.executeUpdate();
    }
  }

  private boolean insertOutcome(Verified certificate) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT_ISSUED)) {
      bind(statement, 1, certificate.serialNumber());
      statement.setBytes(3, certificate.signature().octets());
      statement.setString(4, owner.value());
      bind(statement, 5, certificate.serialNumber());
      return statement.executeUpdate() == 1;
    }
  }

  private static void bind(PreparedStatement statement, int first, SerialNumber serialNumber)
      throws SQLException {
    statement.setInt(first, serialNumber.expiryWeek().number());
    statement.setBytes(first + 1, serialNumber.octets());
  }
}
