package org.sluiceca.api.audit.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.OctetString;

/** Where the key is that signs checkpoints. Thread-safe. */
public final class AuditKeyStore {

  private static final String INSERT =
      """
      INSERT INTO audit_key (subject_public_key_info, cka_id, token_label) VALUES (?, ?, ?)
      ON CONFLICT (only_row) DO NOTHING
      """;

  private static final String FIND =
      "SELECT subject_public_key_info, cka_id, token_label FROM audit_key";

  /**
   * The registered key.
   *
   * @param tokenLabel of the token in which it was made; others may have it, too
   */
  public record RegisteredKey(
      OctetString subjectPublicKeyInfo, OctetString ckaId, String tokenLabel) {}

  private final LedgerDatabase database;

  /** Keeps it in a database that was migrated. */
  public AuditKeyStore(LedgerDatabase database) {
    this.database = database;
  }

  /** Registers the key, unless there is one; returns the one that stands. */
  public RegisteredKey register(RegisteredKey key) {
    try (Connection connection = database.auditing().getConnection();
        PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setBytes(1, key.subjectPublicKeyInfo().octets());
      statement.setBytes(2, key.ckaId().octets());
      statement.setString(3, key.tokenLabel());
      int _ = statement.executeUpdate();
      connection.commit();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the audit key cannot be registered", e);
    }
    return find().orElseThrow();
  }

  /** Returns the key, if one is registered. */
  public Optional<RegisteredKey> find() {
    try (Connection connection = database.auditing().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND);
        ResultSet row = statement.executeQuery()) {
      return row.next()
          ? Optional.of(
              new RegisteredKey(
                  OctetString.copyOf(row.getBytes("subject_public_key_info")),
                  OctetString.copyOf(row.getBytes("cka_id")),
                  row.getString("token_label")))
          : Optional.empty();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the audit key cannot be read", e);
    }
  }
}
