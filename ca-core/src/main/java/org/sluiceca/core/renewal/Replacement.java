package org.sluiceca.core.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * A mass revocation, or the replacement of an issuer: many certificates that have to be renewed
 * before their planned time. Fixed once, when it begins, so that all nodes answer from the same
 * figures. Replacements that overlap divide the spare rate: the caller gives each its part. Of a
 * certificate in several, the caller takes the window that ends first. Immutable and thread-safe.
 *
 * @param begun when it began: the first windows begin then
 * @param certificates how many certificates it has of each urgency, each 0 to 10<sup>12</sup>; what
 *     is missing is 0
 * @param sparePerSecond certificates per second that the HSM can sign in the share left by other
 *     work, 0 or more
 * @param within the longest time over which the windows spread, {@link #SPREAD_MIN} to {@link
 *     #WITHIN_MAX}: a day ({@link #A_DAY}) for revoked certificates, longer for a planned exchange
 */
public record Replacement(
    Instant begun, Map<Urgency, Long> certificates, double sparePerSecond, Duration within) {

  /** The shortest spread: a few renewals need none, but a count may be too low. */
  public static final Duration SPREAD_MIN = Duration.ofMinutes(5);

  /** The usual limit of the spread: a revoked certificate is an outage. */
  public static final Duration A_DAY = Duration.ofDays(1);

  /** The longest limit of the spread. */
  public static final Duration WITHIN_MAX = Duration.ofDays(90);

  /**
   * Windows are spread over this many times the time that the HSM needs. A client learns of its
   * window at its next poll, and renews at once if its place has passed. Whatever the clients'
   * intervals, the late ones come at no more than the rate of the places, so both together come at
   * no more than twice that; no other order of places has a lower maximum (ADR 0070).
   */
  static final double LATE_CLIENTS = 2;

  public Replacement {
    EnumMap<Urgency, Long> counts = new EnumMap<>(Urgency.class);
    counts.putAll(certificates);
    counts.values().forEach(RenewalLoad::requireCount);
    certificates = Collections.unmodifiableMap(counts);
    RenewalLoad.requireRate(sparePerSecond);
    if (within.compareTo(SPREAD_MIN) < 0 || within.compareTo(WITHIN_MAX) > 0) {
      throw new IllegalArgumentException("a replacement within " + within);
    }
  }

  /** Returns the time over which the windows spread, from {@link #begun} on. */
  public Duration spread() {
    double shortest = SPREAD_MIN.toSeconds();
    double longest = within.toSeconds();
    return Duration.ofSeconds((long) Math.clamp(neededSeconds(), shortest, longest));
  }

  /**
   * Returns whether the spare rate is enough. If not, the windows spread over {@link #within}, and
   * more clients come than the spare share signs: other work has to give way, or admission refuses
   * some of them.
   */
  public boolean fits() {
    return neededSeconds() <= within.toSeconds();
  }

  /** Returns whether its windows are still to come, in part, at {@code now}. */
  public boolean isUnderWay(Instant now) {
    return !now.isBefore(begun) && now.isBefore(begun.plus(spread()));
  }

  /**
   * Returns the place of a certificate among all, 0 to 1: after the more urgent ones, and by {@code
   * position} (0 to 1) among its own.
   */
  double place(Urgency urgency, double position) {
    long ahead = 0;
    for (Urgency earlier : Urgency.values()) {
      if (earlier.compareTo(urgency) < 0) {
        ahead += count(earlier);
      }
    }
    long all = total();
    return all == 0 ? position : (ahead + position * count(urgency)) / all;
  }

  private double neededSeconds() {
    return LATE_CLIENTS
        * RenewalLoad.drainSeconds(total(), sparePerSecond)
        / RenewalWindows.PART_OF_STARTS;
  }

  private long total() {
    return certificates.values().stream().mapToLong(Long::longValue).sum();
  }

  private long count(Urgency urgency) {
    return certificates.getOrDefault(urgency, 0L);
  }
}
