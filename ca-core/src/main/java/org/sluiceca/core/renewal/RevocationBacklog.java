package org.sluiceca.core.renewal;

import java.time.Duration;

/**
 * How long a certificate that was revoked alone waits for its window. Many single revocations in a
 * short time would make a herd like a mass revocation, so each is put behind those before it, at
 * {@link #intervalSeconds} each: the backlog of a queue with constant service time (Lindley's
 * recursion), computed from when the revocations were recorded. What comes later changes nothing,
 * so the answer stays. Static and thread-safe.
 */
public final class RevocationBacklog {

  private static final double MILLIS_PER_SECOND = 1000;

  private static final double A_DAY_SECONDS = (double) Replacement.A_DAY.toSeconds();

  private RevocationBacklog() {}

  /**
   * Returns the seconds between the windows of two single revocations: twice the time that the HSM
   * needs, for the clients that come late (see {@link Replacement}).
   *
   * @param sparePerSecond above 0
   */
  public static double intervalSeconds(double sparePerSecond) {
    if (!(sparePerSecond > 0) || Double.isInfinite(sparePerSecond)) {
      throw new IllegalArgumentException("a spare rate of " + sparePerSecond + " a second");
    }
    return Replacement.LATE_CLIENTS / sparePerSecond;
  }

  /**
   * Returns how long after its revocation a certificate's window begins, {@link Replacement#A_DAY}
   * at most.
   *
   * @param backlogSeconds the backlog at a reference time before the revocation, 0 or more
   * @param since from the reference time to the revocation
   * @param ahead other single revocations in that time
   * @param sparePerSecond above 0
   */
  public static Duration delay(
      double backlogSeconds, Duration since, long ahead, double sparePerSecond) {
    RenewalLoad.requireCount(ahead);
    double left = Math.max(0, backlogSeconds - since.toMillis() / MILLIS_PER_SECOND);
    double seconds = left + (double) ahead * intervalSeconds(sparePerSecond);
    return Duration.ofSeconds((long) Math.min(seconds, A_DAY_SECONDS));
  }
}
