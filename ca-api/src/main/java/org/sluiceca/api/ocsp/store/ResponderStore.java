package org.sluiceca.api.ocsp.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * The OCSP responders of this CA's issuers. Thread-safe; every method blocks for at most a few
 * seconds and throws {@link LedgerUnavailable} if the database does not answer.
 */
public final class ResponderStore {

  private static final String INSERT =
      """
      INSERT INTO ocsp_responder (issuer, certificate, subject_public_key_info, cka_id,
        key_algorithm, token_label)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String NEWEST =
      """
      SELECT issuer, certificate, subject_public_key_info, cka_id, key_algorithm, token_label
      FROM ocsp_responder ORDER BY id DESC LIMIT ?
      """;

  /** Each issuer's is renewed every twenty days: those of two years, of a dozen issuers. */
  private static final int LIST_MAX = 500;

  private final LedgerDatabase database;

  /** Keeps responders in a database that was migrated. */
  public ResponderStore(LedgerDatabase database) {
    this.database = database;
  }

  /** Registers a responder, which is now the newest of its issuer. */
  public void insert(RegisteredResponder responder) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setString(1, responder.issuer().value());
      statement.setBytes(2, responder.certificate().encoded());
      statement.setBytes(3, responder.subjectPublicKeyInfo().octets());
      statement.setBytes(4, responder.key().ckaId().octets());
      statement.setString(5, responder.key().algorithm());
      statement.setString(6, responder.key().tokenLabel());
      int _ = statement.executeUpdate();
    } catch (SQLException e) {
      throw new LedgerUnavailable(
          "the OCSP responder of " + responder.issuer() + " cannot be registered", e);
    }
  }

  /** Returns the responders of all issuers, the newest first. */
  public List<RegisteredResponder> list() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(NEWEST)) {
      statement.setInt(1, LIST_MAX);
      List<RegisteredResponder> responders = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          responders.add(
              new RegisteredResponder(
                  new IssuerName(row.getString("issuer")),
                  CertificateDer.of(row.getBytes("certificate")),
                  OctetString.copyOf(row.getBytes("subject_public_key_info")),
                  new RegisteredIssuer.Key(
                      OctetString.copyOf(row.getBytes("cka_id")),
                      row.getString("key_algorithm"),
                      row.getString("token_label"))));
        }
      }
      return List.copyOf(responders);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the OCSP responders cannot be read", e);
    }
  }
}
