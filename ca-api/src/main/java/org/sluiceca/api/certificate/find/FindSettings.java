package org.sluiceca.api.certificate.find;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How certificates are found, as it is written.
 *
 * @param keepExpired how long after its expiry a certificate is found, in whole weeks of expiry;
 *     without end if absent. The ledger keeps it in any case
 */
public record FindSettings(@Nullable Duration keepExpired) {

  /** A partition is dropped when its last certificate has expired for a day at least. */
  private static final Duration KEEP_MIN = Duration.ofDays(1);

  /** Longer than any certificate of this CA has been there. */
  private static final Duration KEEP_MAX = Duration.ofDays(36_500);

  public FindSettings {
    if (keepExpired != null
        && (keepExpired.compareTo(KEEP_MIN) < 0 || keepExpired.compareTo(KEEP_MAX) > 0)) {
      throw new IllegalArgumentException(
          "sluice.find.keep-expired must be 1d to 36500d: " + keepExpired);
    }
  }
}
