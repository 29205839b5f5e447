package org.sluiceca.client.renew;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a certificate is to be renewed.
 *
 * @param before how long before its end; empty for when two thirds of its life are over
 */
record Due(Optional<Duration> before) {
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
}
