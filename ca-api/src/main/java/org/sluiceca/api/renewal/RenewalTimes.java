package org.sluiceca.api.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.renewal.RenewalWindows;
import org.sluiceca.core.renewal.Replacement;
import org.sluiceca.core.renewal.SuggestedWindow;
import org.sluiceca.core.renewal.Urgency;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

/**
 * Chooses when a certificate is to be renewed (RFC 9773 4.2), by its life, by what has been
 * recorded of replacements, and by other revocations of its time. Thread-safe; blocks for two or
 * three queries by an index.
 */
public final class RenewalTimes {

  /** Why a certificate is to be renewed. */
  public enum Kind {
    PLANNED,
    /** Part of a mass revocation, or of the replacement of its issuer. */
    REPLACED,
    /** Revoked alone. */
    REVOKED
  }

  /** When to renew, and when to ask again. */
  public record Answer(Kind kind, SuggestedWindow window, Duration pollAfter) {}

  private record Candidate(
      Kind kind, Urgency urgency, Replacement replacement, SuggestedWindow window) {}

  private final ReplacementStore replacements;
  private final SingleRevocations singles;
  private final RenewalLoop loop;

  /** Answers by what {@code loop} knows of loads, and by what is recorded. */
  public RenewalTimes(ReplacementStore replacements, RateStore rates, RenewalLoop loop) {
    this.replacements = replacements;
    this.singles = new SingleRevocations(rates);
    this.loop = loop;
  }

  /** Returns when to renew a certificate of this CA. */
  public Answer of(
      LedgerEntry entry, Validity validity, Optional<Revocation> revocation, Instant now) {
    SerialNumber serial = entry.intent().serialNumber();
    RenewalWindows windows = loop.windows(validity);
    List<Candidate> candidates = new ArrayList<>();
    revocation.ifPresent(r -> candidates.add(revoked(entry, validity, r, windows, now)));
    replacements
        .ofRetired(entry.intent().origin().issuer())
        .ifPresent(
            r ->
                candidates.add(
                    new Candidate(
                        Kind.REPLACED,
                        Urgency.STILL_VALID,
                        r,
                        windows.window(validity, serial, Urgency.STILL_VALID, r))));
    Optional<Candidate> first =
        candidates.stream().min(Comparator.comparing(c -> c.window().end()));
    SuggestedWindow window =
        first.map(Candidate::window).orElseGet(() -> windows.window(validity, serial));
    // Asking more often is for those whose certificate is refused already: others would make load.
    List<Replacement> urgent =
        candidates.stream()
            .filter(c -> c.urgency() != Urgency.STILL_VALID)
            .map(Candidate::replacement)
            .toList();
    return new Answer(
        first.map(Candidate::kind).orElse(Kind.PLANNED),
        window,
        windows.pollAfter(validity, serial, window, now, urgent));
  }

  private Candidate revoked(
      LedgerEntry entry,
      Validity validity,
      Revocation revocation,
      RenewalWindows windows,
      Instant now) {
    SerialNumber serial = entry.intent().serialNumber();
    Urgency urgency = Urgency.of(revocation.reason());
    Instant recordedAt = replacements.recordedAt(serial).orElse(revocation.revokedAt());
    Optional<Replacement> mass = replacements.ofRevoked(entry, revocation.reason(), recordedAt);
    Replacement replacement =
        mass.orElseGet(
            () ->
                new Replacement(
                    recordedAt.plus(
                        singles.delay(recordedAt, revocation.reason().isCompromise(), now)),
                    Map.of(),
                    0,
                    Replacement.A_DAY));
    return new Candidate(
        mass.isPresent() ? Kind.REPLACED : Kind.REVOKED,
        urgency,
        replacement,
        windows.window(validity, serial, urgency, replacement));
  }
}
