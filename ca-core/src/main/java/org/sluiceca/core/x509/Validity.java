package org.sluiceca.core.x509;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A validity period (RFC 5280 4.1.2.5): both ends inclusive, whole seconds, notBefore before
 * notAfter.
 */
public record Validity(Instant notBefore, Instant notAfter) {

  public Validity {
    if (!notBefore.equals(notBefore.truncatedTo(ChronoUnit.SECONDS))
        || !notAfter.equals(notAfter.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException("validity not in whole seconds");
    }
    if (!notBefore.isBefore(notAfter)) {
      throw new IllegalArgumentException("notBefore " + notBefore + " not before " + notAfter);
    }
  }

  /** Returns whether {@code instant} lies within, both ends included. */
  public boolean contains(Instant instant) {
    return !instant.isBefore(notBefore) && !instant.isAfter(notAfter);
  }
}
