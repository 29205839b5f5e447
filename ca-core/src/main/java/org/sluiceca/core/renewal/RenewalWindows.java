package org.sluiceca.core.renewal;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.function.ToDoubleFunction;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

/**
 * Chooses suggestedWindow and Retry-After of renewal information (RFC 9773 4.2, 4.3).
 *
 * <p>Planned windows are spread around two thirds of the certificate's life, over 10 days or a
 * third of the life, whichever is shorter, and over more if the load asks for it. They never begin
 * before one third of the life, nor end after five sixths. Within the spread, a hash of the serial
 * number gives each certificate its place.
 *
 * <p>The same arguments give the same answer at any time on any node. Immutable and thread-safe;
 * never blocks.
 */
public final class RenewalWindows {

  /** The spread of a long life; 90 days become the days 55 to 65. */
  public static final Duration USUAL_SPREAD_MAX = Duration.ofDays(10);

  /** The longest polling interval: what RFC 9773 4.3.2 names for clients that received none. */
  public static final Duration POLL_MAX = Duration.ofHours(6);

  /** The longest polling interval of a revoked certificate while its replacement is under way. */
  public static final Duration POLL_URGENT_MAX = Duration.ofHours(1);

  /** The shortest polling interval: clients may take less for this (RFC 9773 4.3.2). */
  public static final Duration POLL_MIN = Duration.ofMinutes(1);

  /** A window is one twentieth of the spread: 12 hours of 10 days. */
  private static final int WINDOWS_PER_SPREAD = 20;

  /** The part of a spread in which windows begin, so that the last one ends within the spread. */
  static final double PART_OF_STARTS = 1 - 1.0 / WINDOWS_PER_SPREAD;

  /** The busiest hour may have this many times the mean and still fits the spare rate. */
  private static final double BUSIEST_HOUR = 1.2;

  private static final int POLLS_PER_LIFE = 24;

  /** A polling interval is shortened by up to this part, each certificate's by its own. */
  private static final double POLL_JITTER = 1.0 / 3;

  private static final double MILLIS_PER_SECOND = 1000;

  private final RenewalLoad load;
  private final ToDoubleFunction<SerialNumber> position;

  /**
   * Chooses planned windows for {@code load}, {@link RenewalLoad#UNKNOWN} for the usual spread.
   * Small changes of the load change no window: the spread grows by doubling.
   */
  public RenewalWindows(RenewalLoad load) {
    this(load, SpreadPosition::ofWindow);
  }

  /** For tests that plant a fault in the position. */
  RenewalWindows(RenewalLoad load, ToDoubleFunction<SerialNumber> position) {
    this.load = load;
    this.position = position;
  }

  /** Returns when to renew a certificate that is neither revoked nor to be replaced. */
  public SuggestedWindow window(Validity validity, SerialNumber serial) {
    Range planned = planned(lifeMillis(validity));
    return within(
        validity.notBefore().plusMillis(planned.earliest()), planned.length(), place(serial));
  }

  /** Where planned windows lie, in milliseconds of the life. */
  private record Range(long earliest, long latest) {
    long length() {
      return latest - earliest;
    }
  }

  private Range planned(long life) {
    long spread = spreadMillis(life);
    long latest = Math.min(life * 5 / 6, life * 2 / 3 + spread / 2);
    return new Range(Math.max((life + 2) / 3, latest - spread), latest);
  }

  /**
   * Returns how many planned windows of certificates that expire on one day begin in a second at
   * {@code now}, as if they expired evenly over that day; certificates per second, 0 or more. Those
   * that were renewed or revoked before their window count as well.
   */
  public double beginPerSecond(RenewalCounts.Day day, Instant now) {
    long life = day.shortest().toMillis();
    Range planned = planned(life);
    double starts = Math.max(1, planned.length() * PART_OF_STARTS);
    double expiring = Duration.ofDays(1).toMillis();
    Instant first =
        day.expiresOn()
            .atStartOfDay(ZoneOffset.UTC)
            .toInstant()
            .minusMillis(life - planned.earliest());
    double since = Duration.between(first, now).toMillis();
    // Two even distributions, one after the other: the expiry within the day, and the place.
    double overlap = Math.min(expiring, since) - Math.max(0, since - starts);
    return overlap <= 0
        ? 0
        : day.certificates() * (overlap / expiring) / starts * MILLIS_PER_SECOND;
  }

  /**
   * Returns when to renew a certificate that is part of a replacement: by urgency and by the hash,
   * within {@link Replacement#spread} of its beginning, or in the planned window if that ends
   * earlier; so every window ends before five sixths of the life. A client that asks after its
   * window has passed renews at once (RFC 9773 4.2).
   */
  public SuggestedWindow window(
      Validity validity, SerialNumber serial, Urgency urgency, Replacement replacement) {
    SuggestedWindow planned = window(validity, serial);
    SuggestedWindow urgent =
        within(
            replacement.begun(),
            replacement.spread().toMillis(),
            replacement.place(urgency, place(serial)));
    return urgent.end().isBefore(planned.end()) ? urgent : planned;
  }

  /** Returns the time over which planned windows of certificates of this life are spread. */
  public Duration spread(Validity validity) {
    return Duration.ofMillis(spreadMillis(lifeMillis(validity)));
  }

  /**
   * Returns whether the busiest hour of planned renewals fits the spare rate. If not, the windows
   * spread over half the life, which is all that the limits allow.
   */
  public boolean fits(Validity validity) {
    return neededMillis() <= lifeMillis(validity) / 2.0;
  }

  /**
   * Returns the Retry-After of an answer with {@code window}: when the client should ask again (RFC
   * 9773 4.3.2), in whole seconds, {@link #POLL_MIN} to {@link #POLL_MAX}.
   *
   * <p>It is a 24th of the life at most; at most {@link #POLL_URGENT_MAX} while one of {@code
   * replacements} is under way, those by which this certificate was revoked; and not beyond the
   * window's start, so that the client asks, and renews, when its window begins. Each certificate
   * has an interval of its own, up to a third shorter: clients that began together do not go on
   * asking together.
   */
  public Duration pollAfter(
      Validity validity,
      SerialNumber serial,
      SuggestedWindow window,
      Instant now,
      Collection<Replacement> replacements) {
    boolean isUrgent = replacements.stream().anyMatch(r -> r.isUnderWay(now));
    Duration longest = isUrgent ? POLL_URGENT_MAX : POLL_MAX;
    long interval = Math.min(lifeMillis(validity) / POLLS_PER_LIFE, longest.toMillis());
    double own = 1 - POLL_JITTER * SpreadPosition.ofPolling(serial);
    long seconds = (long) (interval * own / MILLIS_PER_SECOND);
    if (now.isBefore(window.start())) {
      seconds = Math.min(seconds, Duration.between(now, window.start()).toSeconds() + 1);
    }
    return Duration.ofSeconds(Math.max(POLL_MIN.toSeconds(), seconds));
  }

  private double place(SerialNumber serial) {
    return position.applyAsDouble(serial);
  }

  /** Returns the window at {@code place} (0 to 1) of a spread. */
  private static SuggestedWindow within(Instant from, long spreadMillis, double place) {
    long width = Math.max(1, spreadMillis / WINDOWS_PER_SPREAD);
    long offset = (long) (place * (spreadMillis - width));
    return SuggestedWindow.ofMillis(from.plusMillis(offset), width);
  }

  private long spreadMillis(long life) {
    long limit = life / 2;
    long spread = Math.min(life / 3, USUAL_SPREAD_MAX.toMillis());
    double needed = neededMillis();
    while (spread < needed && spread < limit) {
      spread = Math.min(2 * spread, limit);
    }
    return spread;
  }

  private double neededMillis() {
    return BUSIEST_HOUR * load.drainSeconds() / PART_OF_STARTS * MILLIS_PER_SECOND;
  }

  private static long lifeMillis(Validity validity) {
    return Duration.between(validity.notBefore(), validity.notAfter()).toMillis();
  }
}
