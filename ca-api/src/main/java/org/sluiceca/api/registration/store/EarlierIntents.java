package org.sluiceca.api.registration.store;

import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.SerialNumber;

/** Intents by the key under which they were asked for. Thread-safe; blocks for one query. */
public final class EarlierIntents {

  private static final String FIND =
      "SELECT serial FROM idempotency WHERE requester = ? AND key = ?";

  private final LedgerSql sql;

  /** Reads a database that was migrated. */
  public EarlierIntents(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Returns the serial number of the intent under {@code key}. */
  public Optional<SerialNumber> find(RequesterId requester, IdempotencyKey key) {
    return sql.run(
        "earlier requests cannot be read",
        jdbc ->
            jdbc.sql(FIND)
                .params(requester.value(), key.value())
                .query((row, number) -> SerialNumber.of(row.getBytes("serial")))
                .optional());
  }
}
