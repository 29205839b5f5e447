package org.sluiceca.api.ocsp;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.ocsp.Standing;
import org.sluiceca.core.ocsp.StatusRule;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Looks up what is recorded of a certificate, two at a time: of the database's general connections,
 * of which there are four, a storm of questions leaves the others half. Thread-safe.
 */
public final class StatusLookups {

  private static final int AT_ONCE = 2;

  private final Ledger ledger;
  private final RevocationStore revocations;
  private final StatusRule rule;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Semaphore places = new Semaphore(AT_ONCE, true);

  /** Reads {@code ledger} and {@code revocations}, judges by {@code rule}. */
  public StatusLookups(
      Ledger ledger,
      RevocationStore revocations,
      StatusRule rule,
      InstantSource clock,
      Ticker ticker) {
    this.ledger = ledger;
    this.revocations = revocations;
    this.rule = rule;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Returns whether responses about what was never issued must say so. */
  boolean isExtendedRevoke() {
    return rule.isExtendedRevoke();
  }

  /**
   * Returns what can be said of a certificate.
   *
   * @throws LedgerUnavailable if that cannot be known by {@code deadline}
   */
  Standing of(Issuer issuer, CertId id, Deadline deadline) throws InterruptedException {
    SerialNumber serialNumber;
    try {
      serialNumber = SerialNumber.of(id.serialNumber().octets());
    } catch (IllegalArgumentException e) {
      return rule.neverIssued(); // Not of the layout that all serial numbers of this CA have.
    }
    if (!places.tryAcquire(deadline.remainingNanos(ticker), TimeUnit.NANOSECONDS)) {
      throw new LedgerUnavailable("too many look-ups of certificates' status at once");
    }
    try {
      Optional<LedgerEntry> entry = ledger.find(serialNumber);
      if (entry.isEmpty()) {
        return rule.neverIssued();
      }
      RevocationStatus status = revocations.status(serialNumber);
      return rule.of(issuer, entry.get(), status, clock.instant());
    } finally {
      places.release();
    }
  }
}
