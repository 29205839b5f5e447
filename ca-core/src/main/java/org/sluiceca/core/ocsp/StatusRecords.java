package org.sluiceca.core.ocsp;

import java.util.List;
import java.util.Map;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The recorded facts from which OCSP answers. Thread-safe; blocks for a few seconds at most, and
 * throws {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the records cannot
 * be read; a retry is safe.
 */
@FunctionalInterface
public interface StatusRecords {

  /**
   * What is recorded of one serial number, both read at the same instant.
   *
   * @param entry the intent, and its outcome if it has one
   */
  record Known(LedgerEntry entry, RevocationStatus revocation) {}

  /** Returns what is recorded, as of the latest commit; nothing of serial numbers never used. */
  Map<SerialNumber, Known> find(List<SerialNumber> serialNumbers);
}
