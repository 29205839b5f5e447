package org.sluiceca.api.issuer.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * The keys that the ceremony made for issuers. Thread-safe; every method blocks for at most a few
 * seconds and throws {@link LedgerUnavailable} if the database does not answer.
 */
public final class IssuingKeyStore {

  private static final String ADD =
      """
      INSERT INTO issuing_key (name, subject_public_key_info, sha256, cka_id, key_algorithm,
        token_label)
      VALUES (?, ?, sha256(?), ?, ?, ?)
      ON CONFLICT (name, sha256) DO NOTHING
      """;

  private static final String FIND =
      """
      SELECT cka_id, key_algorithm, token_label FROM issuing_key
      WHERE name = ? AND sha256 = sha256(?)
      """;

  private final LedgerDatabase database;

  /** Keeps keys in a database that was migrated. */
  public IssuingKeyStore(LedgerDatabase database) {
    this.database = database;
  }

  /** Records a key; of one that is recorded, the token that was named first stays. */
  public void add(IssuerName name, OctetString subjectPublicKeyInfo, RegisteredIssuer.Key key) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(ADD)) {
      statement.setString(1, name.value());
      statement.setBytes(2, subjectPublicKeyInfo.octets());
      statement.setBytes(3, subjectPublicKeyInfo.octets());
      statement.setBytes(4, key.ckaId().octets());
      statement.setString(5, key.algorithm());
      statement.setString(6, key.tokenLabel());
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the key of issuer " + name + " cannot be recorded", e);
    }
  }

  /** Returns where the key is that was made for the issuer of this name, if it is this one. */
  public Optional<RegisteredIssuer.Key> find(IssuerName name, OctetString subjectPublicKeyInfo) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, name.value());
      statement.setBytes(2, subjectPublicKeyInfo.octets());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new RegisteredIssuer.Key(
                    OctetString.copyOf(row.getBytes("cka_id")),
                    row.getString("key_algorithm"),
                    row.getString("token_label")))
            : Optional.empty();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the key of issuer " + name + " cannot be read", e);
    }
  }
}
