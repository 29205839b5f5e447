package org.sluiceca.api.console.work;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.sluiceca.api.certificate.StatusBody;
import org.sluiceca.api.console.ConsoleTime;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.Revocation;

/**
 * What the ledger knows of a certificate, for its page.
 *
 * @param tone for its colour, as in {@link Remaining}
 * @param left until it ends, for people
 * @param reason of its revocation; empty if it is not revoked
 */
record LedgerFacts(
    String serial,
    String status,
    String tone,
    String left,
    String requester,
    String profile,
    String issuer,
    String recorded,
    String reason,
    String revokedAt,
    String invalidSince) {

  static LedgerFacts of(
      LedgerEntry entry, Optional<Revocation> revocation, Instant notAfter, Instant now) {
    Intent.Origin origin = entry.intent().origin();
    Remaining left = new Remaining(Duration.between(now, notAfter));
    String status =
        StatusBody.of(entry, revocation).status().equals("revoked")
            ? "revoked"
            : notAfter.isAfter(now) ? "valid" : "expired";
    return new LedgerFacts(
        entry.intent().serialNumber().hex(),
        status,
        left.tone(status),
        left.text(),
        origin.requester().value(),
        origin.profile().value()
            + (origin.profileVersion().isPresent()
                ? ", version " + origin.profileVersion().getAsInt()
                : ""),
        origin.issuer().value(),
        ConsoleTime.text(entry.recordedAt()),
        revocation.map(r -> r.reason().label()).orElse(""),
        revocation.map(r -> ConsoleTime.text(r.revokedAt())).orElse(""),
        revocation.flatMap(Revocation::invalidityDate).map(ConsoleTime::text).orElse(""));
  }
}
