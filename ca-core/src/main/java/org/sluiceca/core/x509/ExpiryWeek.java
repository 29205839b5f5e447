package org.sluiceca.core.x509;

import java.time.Instant;

/**
 * The week in which a certificate expires, counted from 1970-01-01T00:00Z. It stands in the serial
 * number and names the ledger's partition.
 *
 * @param number weeks since the epoch, 0 to 65535 (two octets; the year 3225)
 */
public record ExpiryWeek(int number) {

  private static final int NUMBER_MAX = 0xFFFF;
  private static final long SECONDS_PER_WEEK = 7L * 24 * 60 * 60;

  public ExpiryWeek {
    if (number < 0 || number > NUMBER_MAX) {
      throw new IllegalArgumentException("expiry week out of range: " + number);
    }
  }

  /** Returns the week of {@code notAfter}. */
  public static ExpiryWeek of(Instant notAfter) {
    return new ExpiryWeek(
        Math.toIntExact(Math.floorDiv(notAfter.getEpochSecond(), SECONDS_PER_WEEK)));
  }
}
