package org.sluiceca.api.ocsp.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
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

  private final LedgerSql sql;

  /** Keeps responders in a database that was migrated. */
  public ResponderStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Registers a responder, which is now the newest of its issuer. */
  public void insert(RegisteredResponder responder) {
    int _ =
        sql.run(
            "the OCSP responder of " + responder.issuer() + " cannot be registered",
            jdbc ->
                jdbc.sql(INSERT)
                    .params(responder.issuer().value(), responder.certificate().encoded())
                    .param(responder.subjectPublicKeyInfo().octets())
                    .params(responder.key().ckaId().octets(), responder.key().algorithm())
                    .param(responder.key().tokenLabel())
                    .update());
  }

  /** Returns the responders of all issuers, the newest first. */
  public List<RegisteredResponder> list() {
    return sql.run(
        "the OCSP responders cannot be read",
        jdbc ->
            List.copyOf(jdbc.sql(NEWEST).param(LIST_MAX).query(ResponderStore::responder).list()));
  }

  private static RegisteredResponder responder(ResultSet row, int number) throws SQLException {
    return new RegisteredResponder(
        new IssuerName(row.getString("issuer")),
        CertificateDer.of(row.getBytes("certificate")),
        OctetString.copyOf(row.getBytes("subject_public_key_info")),
        new RegisteredIssuer.Key(
            OctetString.copyOf(row.getBytes("cka_id")),
            row.getString("key_algorithm"),
            row.getString("token_label")));
  }
}
