package org.sluiceca.core.plan;

import java.time.Instant;
import java.util.random.RandomGenerator;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/** Draws serial numbers. As thread-safe as the generator it is given. */
public final class SerialNumbers {

  private final RandomGenerator random;

  /**
   * Draws from {@code random}, which in production must be a CSPRNG: CA/Browser Forum BR 7.1 asks
   * for at least 64 bits of its output, this takes 128.
   */
  public SerialNumbers(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the serial number of a certificate that expires at {@code notAfter}. */
  public SerialNumber next(Instant notAfter) {
    byte[] bits = new byte[SerialNumber.RANDOM_OCTETS];
    random.nextBytes(bits);
    return SerialNumber.compose(ExpiryWeek.of(notAfter), bits);
  }
}
