package org.sluiceca.api.registration;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The ledger's entries that this node read last and that have an outcome, which never changes: the
 * client of a certificate asks for it several times within a second. At most {@value #MAX}.
 * Thread-safe; blocks as the look-up does that it is given.
 */
final class DecidedEntries {

  /** Of 2 KB each, 30 KB where a certificate has a hundred long names. */
  static final int MAX = 256;

  private final Map<SerialNumber, LedgerEntry> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SerialNumber, LedgerEntry> eldest) {
          return size() > MAX;
        }
      };

  private final Function<SerialNumber, LedgerEntry> ledger;

  /** What is not here is looked up in {@code ledger}. */
  DecidedEntries(Function<SerialNumber, LedgerEntry> ledger) {
    this.ledger = ledger;
  }

  /** Returns an entry as it is now. */
  LedgerEntry find(SerialNumber serialNumber) {
    LedgerEntry known;
    synchronized (entries) {
      known = entries.get(serialNumber);
    }
    if (known != null) {
      return known;
    }
    LedgerEntry read = ledger.apply(serialNumber);
    if (read.outcome().isPresent()) {
      synchronized (entries) {
        entries.put(serialNumber, read);
      }
    }
    return read;
  }
}
