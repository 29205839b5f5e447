package org.sluiceca.core.renewal;

/**
 * What planned renewals ask of the HSM, as the caller measured it. Immutable and thread-safe.
 *
 * @param certificates how many certificates of about one life were issued within half that life,
 *     counted where they are most; their renewals can fall together. 0 to 10<sup>12</sup>
 * @param sparePerSecond certificates per second that the HSM can sign in the share left by other
 *     work, 0 or more
 */
public record RenewalLoad(long certificates, double sparePerSecond) {

  /** The largest count, so that sums stay far from what a long holds. */
  private static final long CERTIFICATES_MAX = 1_000_000_000_000L;

  /** Nothing is known, or nothing to fear: windows have their usual spread. */
  public static final RenewalLoad UNKNOWN = new RenewalLoad(0, 0);

  public RenewalLoad {
    requireCount(certificates);
    requireRate(sparePerSecond);
  }

  /** Returns the seconds in which the HSM signs the certificates in its spare share. */
  double drainSeconds() {
    return drainSeconds(certificates, sparePerSecond);
  }

  static double drainSeconds(long certificates, double perSecond) {
    return certificates == 0 ? 0 : certificates / perSecond;
  }

  static void requireCount(long certificates) {
    if (certificates < 0 || certificates > CERTIFICATES_MAX) {
      throw new IllegalArgumentException(certificates + " certificates");
    }
  }

  static void requireRate(double perSecond) {
    if (!(perSecond >= 0) || Double.isInfinite(perSecond)) {
      throw new IllegalArgumentException("a spare rate of " + perSecond + " a second");
    }
  }
}
