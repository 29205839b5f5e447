package org.sluiceca.api.registration.store;

import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The requests of a certificate: the one that it came from, and those that replace it. Thread-safe.
 */
public final class RequestsBySerial {

  private static final String FIND_SERIAL =
      "SELECT " + RequestRow.COLUMNS + " FROM certificate_request WHERE serial = ? LIMIT 1";

  private static final String REPLACING =
      "SELECT id FROM certificate_request WHERE replaces = ? AND csr IS NOT NULL AND refusal IS NULL"
          + " LIMIT 1";

  /** By the index of what an actor has open, which is bounded; without what is invalid already. */
  private static final String OPEN_REPLACING =
      "SELECT count(*) FROM certificate_request WHERE actor = ? AND csr IS NULL AND expires_at > now()"
          + " AND replaces = ? AND NOT EXISTS (SELECT FROM request_authorization a"
          + " WHERE a.request = certificate_request.id AND a.status IN ('invalid', 'deactivated'))";

  private final LedgerSql sql;

  /** Looks them up in a database that was migrated. */
  public RequestsBySerial(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Returns a request that has its CSR and takes the place of a certificate. */
  public Optional<RegistrationId> replacing(SerialNumber serialNumber) {
    return sql.run(
        "the requests cannot be read",
        jdbc ->
            jdbc.sql(REPLACING)
                .param(serialNumber.octets())
                .query((row, number) -> RequestRow.id(row, "id"))
                .optional());
  }

  /** Returns how many requests of an actor without a CSR would take the place of a certificate. */
  public long openReplacing(RegistrationId actor, SerialNumber serialNumber) {
    return sql.run(
        "the requests cannot be read",
        jdbc ->
            jdbc.sql(OPEN_REPLACING)
                .params(RequestRow.octets(actor), serialNumber.octets())
                .query(Long.class)
                .single());
  }

  /** Returns the request that a certificate came from. */
  public Optional<CertificateRequest> findBySerial(SerialNumber serialNumber) {
    return sql.run(
        "the request cannot be read",
        jdbc ->
            jdbc.sql(FIND_SERIAL)
                .param(serialNumber.octets())
                .query(RequestRow::request)
                .optional());
  }
}
