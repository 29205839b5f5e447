package org.sluiceca.api.issuer.store;

import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
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

  private final LedgerSql sql;

  /** Keeps keys in a database that was migrated. */
  public IssuingKeyStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Records a key; of one that is recorded, the token that was named first stays. */
  public void add(IssuerName name, OctetString subjectPublicKeyInfo, RegisteredIssuer.Key key) {
    byte[] octets = subjectPublicKeyInfo.octets();
    int _ =
        sql.run(
            "the key of issuer " + name + " cannot be recorded",
            jdbc ->
                jdbc.sql(ADD)
                    .params(name.value(), octets, octets)
                    .params(key.ckaId().octets(), key.algorithm(), key.tokenLabel())
                    .update());
  }

  /** Returns where the key is that was made for the issuer of this name, if it is this one. */
  public Optional<RegisteredIssuer.Key> find(IssuerName name, OctetString subjectPublicKeyInfo) {
    return sql.run(
        "the key of issuer " + name + " cannot be read",
        jdbc ->
            jdbc.sql(FIND)
                .params(name.value(), subjectPublicKeyInfo.octets())
                .query(
                    (row, number) ->
                        new RegisteredIssuer.Key(
                            OctetString.copyOf(row.getBytes("cka_id")),
                            row.getString("key_algorithm"),
                            row.getString("token_label")))
                .optional());
  }
}
