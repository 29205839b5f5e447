package org.sluiceca.core.revoke;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.RevocationRules.Decision;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.x509.RevocationReason;

/**
 * Revokes certificates, and releases them from hold. When it returns, the decision is durable; the
 * CRL and OCSP follow. Who may ask is the caller's to know. Thread-safe; blocks as {@link
 * RevocationStore} does, and whatever it throws, asking again is safe.
 */
public final class Revoker {

  /** Of deciders at once each learns of the others' events; more than a few is an attack. */
  private static final int ATTEMPTS_MAX = 5;

  /** Before the standard (X.509, 1988) there was nothing to be invalid. */
  private static final Instant INVALIDITY_MIN = Instant.parse("1988-01-01T00:00:00Z");

  private final RevocationStore store;
  private final InstantSource clock;
  private final EventSink events;
  private final ClockSkew skew;

  /** Revokes with the standard allowance for clients' clocks. */
  public Revoker(RevocationStore store, InstantSource clock, EventSink events) {
    this(store, clock, events, ClockSkew.STANDARD);
  }

  /**
   * Revokes in {@code store}.
   *
   * @param skew how far in the future an invalidityDate may lie, which is then taken as now
   */
  public Revoker(RevocationStore store, InstantSource clock, EventSink events, ClockSkew skew) {
    this.skew = skew;
    this.store = store;
    this.clock = clock;
    this.events = events;
  }

  /**
   * Revokes a certificate.
   *
   * @param entry of the ledger, issued
   * @param by who wants it
   * @param invalidityDate one for which {@link #invalidSince} has an answer
   */
  public RevocationResult revoke(
      LedgerEntry entry,
      RequesterId by,
      RevocationReason reason,
      Optional<Instant> invalidityDate) {
    Optional<Instant> date = invalidityDate.flatMap(this::invalidSince);
    if (date.isEmpty() && invalidityDate.isPresent()) {
      return new RevocationResult.Refused(invalidityBounds());
    }
    return decide(entry, by, status -> RevocationRules.revoke(status, reason, date));
  }

  /**
   * Returns the invalidityDate (RFC 5280 5.3.2) that is recorded for one that a client gave, in
   * whole seconds: now, if its clock is fast by no more than the allowance. Empty if it lies
   * further in the future, or before 1988.
   */
  public Optional<Instant> invalidSince(Instant claimed) {
    return claimed.isBefore(INVALIDITY_MIN)
        ? Optional.empty()
        : skew.past(claimed, clock.instant()).map(d -> d.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Returns what is said of an invalidityDate that cannot be. */
  public String invalidityBounds() {
    return "invalidityDate must be "
        + INVALIDITY_MIN
        + " at the earliest, and at the latest "
        + clock.instant().plus(skew.allowance()).truncatedTo(ChronoUnit.SECONDS)
        + ": "
        + skew.allowance().toSeconds()
        + " s ahead of this node's clock";
  }

  /** Releases a certificate from hold. */
  public RevocationResult release(LedgerEntry entry, RequesterId by) {
    return decide(entry, by, RevocationRules::release);
  }

  private RevocationResult decide(
      LedgerEntry entry, RequesterId by, Function<RevocationStatus, Decision> rule) {
    Intent intent = entry.intent();
    if (!(entry.outcome().orElse(null) instanceof Outcome.Issued)) {
      return new RevocationResult.Refused("no certificate was issued under this serial number");
    }
    Optional<CrlScope> scope = CrlScope.of(intent.origin().issuer(), intent.tbsCertificate());
    if (scope.isEmpty()) {
      return new RevocationResult.Refused(
          "the certificate says that it has no revocation information (RFC 9608); it ends "
              + notAfter(intent));
    }
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      RevocationStatus status = store.status(intent.serialNumber());
      switch (rule.apply(status)) {
        case Decision.Stands stands -> {
          return new RevocationResult.Done(status, false);
        }
        case Decision.Refused(String detail) -> {
          return new RevocationResult.Refused(detail);
        }
        case Decision.Append(RevocationEvent.Change change) -> {
          RevocationEvent event =
              new RevocationEvent(
                  intent.serialNumber(),
                  status.events() + 1,
                  scope.get(),
                  by,
                  notAfter(intent),
                  change);
          Optional<RevocationStatus> recorded = store.append(event);
          if (recorded.isPresent()) {
            tell(event, recorded.get());
            return new RevocationResult.Done(recorded.get(), true);
          }
        }
      }
    }
    return new RevocationResult.Outrun();
  }

  private void tell(RevocationEvent event, RevocationStatus status) {
    events.accept(
        status.revocation().isPresent()
            ? new CaEvent.CertificateRevoked(
                event.serialNumber(), event.by(), status.revocation().get().reason())
            : new CaEvent.HoldReleased(event.serialNumber(), event.by()));
  }

  private static Instant notAfter(Intent intent) {
    try {
      return CertificateReader.validity(intent.tbsCertificate()).notAfter();
    } catch (DerException e) {
      throw new IllegalStateException("a recorded certificate does not parse: " + e.fault(), e);
    }
  }
}
