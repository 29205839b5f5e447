package org.sluiceca.api.audit.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
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

  private final LedgerSql sql;

  /** Keeps it in a database that was migrated. */
  public AuditKeyStore(LedgerDatabase database) {
    this.sql = new LedgerSql(database.auditing());
  }

  /** Registers the key, unless there is one; returns the one that stands. */
  public RegisteredKey register(RegisteredKey key) {
    int _ =
        sql.transaction(
            "the audit key cannot be registered",
            jdbc ->
                jdbc.sql(INSERT)
                    .params(key.subjectPublicKeyInfo().octets(), key.ckaId().octets())
                    .param(key.tokenLabel())
                    .update());
    return find().orElseThrow();
  }

  /** Returns the key, if one is registered. */
  public Optional<RegisteredKey> find() {
    return sql.run(
        "the audit key cannot be read",
        jdbc -> jdbc.sql(FIND).query(AuditKeyStore::key).optional());
  }

  private static RegisteredKey key(ResultSet row, int number) throws SQLException {
    return new RegisteredKey(
        OctetString.copyOf(row.getBytes("subject_public_key_info")),
        OctetString.copyOf(row.getBytes("cka_id")),
        row.getString("token_label"));
  }
}
