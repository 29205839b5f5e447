package org.sluiceca.blackbox;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks into the embedded database of a trial, independently of the service's answers. */
final class LedgerRows {

  private LedgerRows() {}

  /** Intents that no node has ended yet. */
  static long pendingIntents(Trial trial) {
    return count(
        trial,
        """
        SELECT count(*) FROM intent i
        WHERE NOT EXISTS (SELECT FROM outcome o
                          WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
        """);
  }

  /** Pending intents that this node has recorded, in whichever of its lives. */
  static long pendingIntents(Trial trial, int node) {
    return count(
        trial,
        """
        SELECT count(*) FROM intent i
        WHERE i.claim_owner LIKE 'node-%d.%%'
        AND NOT EXISTS (SELECT FROM outcome o
                        WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
        """
            .formatted(node));
  }

  /** All intents with an outcome of this kind. */
  static long outcomes(Trial trial, String kind) {
    return count(trial, "SELECT count(*) FROM outcome WHERE kind = '" + kind + "'");
  }

  /** All intents, whatever came of them. */
  static long intents(Trial trial) {
    return count(trial, "SELECT count(*) FROM intent");
  }

  /** How many were given up that may have been signed. */
  static long maybeSigned(Trial trial) {
    return count(trial, "SELECT count(*) FROM outcome WHERE maybe_signed");
  }

  /** Outcomes of intents that another node took over. */
  static long takenOver(Trial trial) {
    return count(trial, "SELECT count(*) FROM outcome WHERE epoch > 0");
  }

  /** Idempotency keys for which more than one certificate was issued. */
  static long keysWithTwoCertificates(Trial trial) {
    return count(
        trial,
        """
        SELECT count(*) FROM (
          SELECT i.requester, i.idempotency_key FROM intent i
          JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
          WHERE i.idempotency_key IS NOT NULL AND o.kind = 'issued'
          GROUP BY i.requester, i.idempotency_key HAVING count(*) > 1) AS twice
        """);
  }

  /** Certificates issued under idempotency keys that begin so. */
  static long issuedUnder(Trial trial, String keyPrefix) {
    return count(
        trial,
        """
        SELECT count(*) FROM intent i
        JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
        WHERE o.kind = 'issued' AND i.idempotency_key LIKE '%s%%'
        """
            .formatted(keyPrefix));
  }

  /** Changes rows behind the service's back, as a fault of a later version would. */
  static void damage(Trial trial, String sql, String serial) {
    try (Connection connection = open(trial);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, serial);
      if (statement.executeUpdate() != 1) {
        throw new AssertionError("not one row: " + sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Revokes a certificate as the product records it: the event and its scope's revision at once.
   */
  static void revoke(Trial trial, String serial, int reason) {
    try (Connection connection = open(trial);
        PreparedStatement statement =
            connection.prepareStatement(
                """
                WITH scope AS (
                  INSERT INTO crl_scope (issuer, shard, revision) VALUES ('issuing', 0, 1)
                  ON CONFLICT (issuer, shard) DO UPDATE SET revision = crl_scope.revision + 1
                  RETURNING revision)
                INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision,
                  requester, reason, revoked_at, not_after)
                SELECT i.expiry_week, i.serial, 1, 'issuing', 0, scope.revision, 'test', ?,
                  date_trunc('second', now()), now() + interval '90 days'
                FROM intent i, scope WHERE i.serial = decode(?, 'hex')
                """)) {
      statement.setInt(1, reason);
      statement.setString(2, serial);
      if (statement.executeUpdate() != 1) {
        throw new AssertionError("no certificate " + serial);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets every credential of a requester end now. */
  static void expireCredentials(Trial trial, String requester) {
    try (Connection connection = open(trial);
        PreparedStatement statement =
            connection.prepareStatement(
                "UPDATE credential SET expires_at = now() WHERE requester = ?")) {
      statement.setString(1, requester);
      if (statement.executeUpdate() == 0) {
        throw new AssertionError("no credential of " + requester);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Changes the database as a crash or an operator would. */
  static void execute(Trial trial, String sql) {
    try (Connection connection = open(trial);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the number that a query gives. */
  static long count(Trial trial, String sql) {
    try (Connection connection = open(trial);
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the first column of what a query gives. */
  static List<String> texts(Trial trial, String sql) {
    try (Connection connection = open(trial);
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static Connection open(Trial trial) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + trial.read("postgres.port").strip() + "/sluice",
        "sluice",
        trial.read("secrets/database.password").strip());
  }
}
