package org.sluiceca.client.renew;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;

/**
 * When a certificate is to be renewed.
 *
 * @param before how long before its end; empty for when two thirds of its life are over
 */
record Due(Optional<Duration> before) {
  private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,5})([smhd])");

  /** From then on. */
  Instant of(X509Certificate certificate) {
    Instant from = certificate.getNotBefore().toInstant();
    Instant to = certificate.getNotAfter().toInstant();
    return before
        .map(to::minus)
        .orElseGet(() -> from.plus(Duration.between(from, to).multipliedBy(2).dividedBy(3)));
  }

  /** From then until it ends. */
  Duration slack(X509Certificate certificate) {
    return Duration.between(of(certificate), certificate.getNotAfter().toInstant());
  }

  /** Whether each certificate of this life would be due at once, and renewed at each look. */
  boolean isAlways(X509Certificate certificate) {
    return !of(certificate).isAfter(certificate.getNotBefore().toInstant());
  }

  /** Reads {@code 90s}, {@code 10m}, {@code 12h} or {@code 30d}. */
  static Duration duration(String text, String option) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw Failure.usage(option + " is a time such as 90s, 10m, 12h or 30d, not '" + text + "'");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
