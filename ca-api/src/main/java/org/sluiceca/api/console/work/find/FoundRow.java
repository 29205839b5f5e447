package org.sluiceca.api.console.work.find;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.sluiceca.api.certificate.find.CertificateFinder.CertificateBody;
import org.sluiceca.api.console.ConsoleTime;
import org.sluiceca.api.console.work.Remaining;

/**
 * A found certificate as a row of the page.
 *
 * @param name its first name, or its subject
 * @param more how many names it has besides, or nothing
 * @param tone for its colour, as {@link Remaining} has it
 */
record FoundRow(
    String serial,
    String name,
    String more,
    String status,
    String tone,
    String expires,
    String left,
    String requester,
    String profile,
    String issuer,
    String issued) {

  static FoundRow of(CertificateBody found, Instant now) {
    Instant end = Instant.parse(found.notAfter());
    Remaining left = new Remaining(Duration.between(now, end));
    int names = found.subjectAltNames().size();
    String subject = found.subject().isEmpty() ? "(no subject)" : found.subject();
    return new FoundRow(
        found.serial(),
        names == 0 ? subject : found.subjectAltNames().getFirst(),
        names > 1 ? String.format(Locale.ROOT, "and %d more", names - 1) : "",
        found.status(),
        left.tone(found.status()),
        ConsoleTime.text(end),
        left.text(),
        found.requester(),
        found.profile(),
        found.issuer(),
        ConsoleTime.text(Instant.parse(found.issuedAt())));
  }
}
