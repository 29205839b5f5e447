package org.sluiceca.core.revoke;

import java.util.Optional;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The durable side of revocation: append-only. Every implementation passes {@code
 * RevocationStoreContract}. Thread-safe; every method blocks, for a few seconds at most, and throws
 * {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the store cannot answer.
 */
public interface RevocationStore {

  /** Returns what the events of a serial number have come to, as of the latest commit. */
  RevocationStatus status(SerialNumber serialNumber);

  /**
   * Appends an event, raises the revision of its scope, which is made if need be, in one
   * transaction. On LedgerUnavailable it may have been recorded.
   *
   * @return the status that it made; empty, nothing recorded, if there is an event of its number
   */
  Optional<RevocationStatus> append(RevocationEvent event);
}
