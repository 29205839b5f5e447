package org.sluiceca.api.console.work;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.sluiceca.api.certificate.find.CertificateFinder.CertificateBody;
import org.sluiceca.api.console.ConsoleTime;

/**
 * A found certificate as a row of the page.
 *
 * @param name its first name, or its subject
 * @param more how many names it has besides, or nothing
 * @param tone for its colour: calm, busy (ends within a week), full (revoked) or lost (expired)
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

  private static final Duration SOON = Duration.ofDays(7);
  private static final long HOURS_SHOWN = 48;

  static FoundRow of(CertificateBody found, Instant now) {
    Instant end = Instant.parse(found.notAfter());
    int names = found.subjectAltNames().size();
    String subject = found.subject().isEmpty() ? "(no subject)" : found.subject();
    return new FoundRow(
        found.serial(),
        names == 0 ? subject : found.subjectAltNames().getFirst(),
        names > 1 ? String.format(Locale.ROOT, "and %d more", names - 1) : "",
        found.status(),
        tone(found.status(), Duration.between(now, end)),
        ConsoleTime.text(end),
        left(Duration.between(now, end)),
        found.requester(),
        found.profile(),
        found.issuer(),
        ConsoleTime.text(Instant.parse(found.issuedAt())));
  }

  static String tone(String status, Duration left) {
    return switch (status) {
      case "revoked" -> "full";
      case "expired" -> "lost";
      default -> left.compareTo(SOON) <= 0 ? "busy" : "calm";
    };
  }

  /** For people: hours below two days, otherwise days. */
  static String left(Duration left) {
    Duration size = left.abs();
    String text =
        size.toHours() < HOURS_SHOWN
            ? String.format(Locale.ROOT, "%d h", size.toHours())
            : String.format(Locale.ROOT, "%d days", size.toDays());
    return left.isNegative() ? text + " ago" : "in " + text;
  }
}
