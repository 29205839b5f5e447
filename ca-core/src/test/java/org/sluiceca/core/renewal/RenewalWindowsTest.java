package org.sluiceca.core.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

class RenewalWindowsTest {

  private static final Instant ISSUED = Instant.parse("2026-03-01T00:00:00Z");
  private static final RenewalWindows USUAL = new RenewalWindows(RenewalLoad.UNKNOWN);

  /** The first and the last window that certificates of one life can have. */
  @ParameterizedTest
  @CsvSource({
    // life, first start, first end, last start, last end (from notBefore)
    "PT2M, PT1M, PT1M2S, PT1M38S, PT1M40S",
    "PT1H, PT30M, PT31M, PT49M, PT50M",
    "PT24H, PT12H, PT12H24M, PT19H36M, PT20H",
    "P6D, P3D, P3DT2H24M, P4DT21H36M, P5D",
    "P47D, P26DT8H, P26DT20H, P35DT20H, P36DT8H",
    "P90D, P55D, P55DT12H, P64DT12H, P65D",
    "P3650D, P2428DT8H, P2428DT20H, P2437DT20H, P2438DT8H",
  })
  void window_lifeOf_firstAndLast(
      Duration life, Duration start, Duration end, Duration lastStart, Duration lastEnd) {
    Validity validity = new Validity(ISSUED, ISSUED.plus(life));
    SerialNumber serial = serial(1);

    SuggestedWindow first = at(0).window(validity, serial);
    SuggestedWindow last = at(Math.nextDown(1.0)).window(validity, serial);

    assertThat(first).isEqualTo(new SuggestedWindow(ISSUED.plus(start), ISSUED.plus(end)));
    // A position is below 1, so the last window begins up to a millisecond, then a second, earlier.
    assertThat(Duration.between(last.start(), ISSUED.plus(lastStart)).abs())
        .isLessThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(Duration.between(last.end(), ISSUED.plus(lastEnd)))
        .isBetween(Duration.ZERO, Duration.ofSeconds(1));
  }

  @Test
  void window_seededLivesAndLoads_insideTheLimits() {
    SplittableRandom random = new SplittableRandom(70);
    for (int i = 0; i < 20_000; i++) {
      Validity validity = randomValidity(random);
      RenewalLoad load = new RenewalLoad(random.nextLong(1_000_000), random.nextDouble(10));
      RenewalWindows windows =
          new RenewalWindows(random.nextBoolean() ? load : RenewalLoad.UNKNOWN);
      SerialNumber serial = Herd.serial(random, validity);

      assertInsideTheLimits(validity, windows.window(validity, serial));
    }
  }

  @Test
  void window_extremePositions_insideTheLimits() {
    SplittableRandom random = new SplittableRandom(71);
    for (int i = 0; i < 5_000; i++) {
      Validity validity = randomValidity(random);
      SerialNumber serial = Herd.serial(random, validity);

      assertInsideTheLimits(validity, at(0).window(validity, serial));
      assertInsideTheLimits(validity, at(Math.nextDown(1.0)).window(validity, serial));
    }
  }

  /** Lives of one second: no whole second lies within the limits, so the window has fractions. */
  @Test
  void window_lifeOfASecond_insideTheLimits() {
    Validity validity = new Validity(ISSUED, ISSUED.plusSeconds(1));

    assertInsideTheLimits(validity, USUAL.window(validity, serial(3)));
    assertInsideTheLimits(validity, at(0).window(validity, serial(3)));
  }

  @Test
  void window_anotherNodeAndAnotherTime_theSame() {
    Validity validity = days(90);
    RenewalLoad load = new RenewalLoad(100_000, 0.1);

    assertThat(new RenewalWindows(load).window(validity, serial(5)))
        .isEqualTo(new RenewalWindows(load).window(validity, serial(5)));
    // Written down: a release that moves windows makes clients renew at once, or not yet.
    assertThat(USUAL.window(validity, SerialNumber.parse("0109000102030405060708090a0b0c0d0e0f10")))
        .isEqualTo(
            new SuggestedWindow(
                Instant.parse("2026-05-04T08:16:04Z"), Instant.parse("2026-05-04T20:16:03Z")));
  }

  @Test
  void beginPerSecond_overADaysCertificates_eachOfThemOnceWithinTheLimits() {
    LocalDate day = LocalDate.of(2026, 6, 1);
    for (Duration life : List.of(Duration.ofHours(1), Duration.ofDays(6), Duration.ofDays(90))) {
      RenewalCounts.Day expiring = new RenewalCounts.Day(life, day, 1_000);
      Instant from = day.atStartOfDay(ZoneOffset.UTC).toInstant().minus(life);
      Instant until = from.plus(life).plus(Duration.ofDays(1));
      Duration step = Duration.between(from, until).dividedBy(100_000);
      double sum = 0;
      for (Instant at = from; at.isBefore(until); at = at.plus(step)) {
        double perSecond = USUAL.beginPerSecond(expiring, at);
        boolean isWithin =
            at.isAfter(from.plus(life.dividedBy(3))) && at.isBefore(until.minus(life.dividedBy(6)));
        assertThat(isWithin || perSecond == 0).as("%s at %s", life, at).isTrue();
        sum += perSecond * step.toNanos() / 1e9;
      }
      assertThat(sum).as("%s", life).isEqualTo(1_000, within(2.0));
    }
  }

  @Test
  void position_serialNumbersOfOneWeek_evenlySpread() {
    int[] bins = new int[100];
    SplittableRandom random = new SplittableRandom(72);
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      double position = SpreadPosition.ofWindow(Herd.serial(random, days(90)));
      assertThat(position >= 0 && position < 1).isTrue();
      bins[(int) (position * bins.length)]++;
    }

    // Chi-squared with 99 degrees of freedom: 149 is exceeded once in a thousand times.
    double expected = (double) count / bins.length;
    double chiSquared = 0;
    for (int n : bins) {
      chiSquared += (n - expected) * (n - expected) / expected;
    }
    assertThat(chiSquared).isBetween(50.0, 149.0);
  }

  @Test
  void spread_loadThatDoesNotFit_doubledUpToHalfTheLife() {
    Validity life = days(90);

    // At 0.1/s, 68,400 certificates need ten days: 1.2 times 7.9 days, in 19 twentieths.
    assertSpread(life, 68_000, 10, true);
    assertSpread(life, 69_000, 20, true);
    assertSpread(life, 136_000, 20, true);
    assertSpread(life, 138_000, 40, true);
    assertSpread(life, 280_000, 45, true);
    assertSpread(life, 307_000, 45, true);
    assertSpread(life, 309_000, 45, false);
  }

  @Test
  void spread_noSpareRate_halfTheLifeAndDoesNotFit() {
    RenewalWindows none = new RenewalWindows(new RenewalLoad(1, 0));

    assertThat(none.spread(days(90))).isEqualTo(Duration.ofDays(45));
    assertThat(none.fits(days(90))).isFalse();
    assertThat(USUAL.fits(days(90))).isTrue();
  }

  @Test
  void window_empty_refused() {
    assertThatThrownBy(() -> new SuggestedWindow(ISSUED, ISSUED))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void load_negativeOrNotANumber_refused() {
    for (double rate : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new RenewalLoad(1, rate))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (long count : new long[] {-1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> new RenewalLoad(count, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void pollAfter_seededLives_withinItsBounds() {
    SplittableRandom random = new SplittableRandom(73);
    for (int i = 0; i < 5_000; i++) {
      Validity validity = randomValidity(random);
      SerialNumber serial = Herd.serial(random, validity);
      SuggestedWindow window = USUAL.window(validity, serial);
      long life = Duration.between(validity.notBefore(), validity.notAfter()).toSeconds();
      Instant now = validity.notBefore().plusSeconds(random.nextLong(-life, 2 * life));

      Duration poll = USUAL.pollAfter(validity, serial, window, now, List.of());

      assertThat(poll).isBetween(Duration.ofMinutes(1), Duration.ofHours(6));
      assertThat(poll.toSeconds()).isLessThanOrEqualTo(Math.max(60, life / 24));
    }
  }

  @Test
  void pollAfter_windowBeginsBefore_untilItBegins() {
    Validity validity = days(90);
    SuggestedWindow window = USUAL.window(validity, serial(6));

    assertThat(poll(window, window.start().minusSeconds(1000))).hasSeconds(1001);
    assertThat(poll(window, window.start().minusSeconds(1))).hasMinutes(1);
    assertThat(poll(window, window.start())).isGreaterThanOrEqualTo(Duration.ofHours(4));
  }

  @Test
  void pollAfter_replacementUnderWay_anHourAtMostUntilItIsOver() {
    Instant begun = ISSUED.plus(Duration.ofDays(20));
    Replacement replacement =
        new Replacement(begun, Map.of(Urgency.REVOKED, 100_000L), 4, Replacement.A_DAY);
    Instant end = begun.plus(replacement.spread());

    for (Instant during : List.of(begun, end.minusSeconds(1))) {
      assertThat(poll(during, replacement)).isBetween(Duration.ofMinutes(40), Duration.ofHours(1));
    }
    for (Instant outside : List.of(begun.minusSeconds(1), end)) {
      assertThat(poll(outside, replacement)).isBetween(Duration.ofHours(4), Duration.ofHours(6));
    }
  }

  /** Equal intervals would keep together who began together, and bring them all back together. */
  @Test
  void pollAfter_clientsThatBeganTogether_askAtDifferentTimesAfterThreeDays() {
    SplittableRandom random = new SplittableRandom(74);
    long[] askedInTheHour = new long[24];
    int clients = 5_000;
    Instant day = ISSUED.plus(Duration.ofDays(3));
    for (int i = 0; i < clients; i++) {
      SerialNumber serial = Herd.serial(random, days(90));
      SuggestedWindow window = USUAL.window(days(90), serial);
      Instant now = ISSUED;
      while (now.isBefore(day.plus(Duration.ofDays(1)))) {
        if (!now.isBefore(day)) {
          askedInTheHour[(int) Duration.between(day, now).toHours()]++;
        }
        now = now.plus(USUAL.pollAfter(days(90), serial, window, now, List.of()));
      }
    }

    double mean = clients * 24 / 4.93 / askedInTheHour.length;
    for (long asked : askedInTheHour) {
      assertThat((double) asked).isBetween(0.85 * mean, 1.15 * mean);
    }
  }

  @Test
  void place_ofWindowsAndOfPolling_independent() {
    SplittableRandom random = new SplittableRandom(75);
    Set<Integer> pairs = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      SerialNumber serial = Herd.serial(random, days(90));
      int window = (int) (10 * SpreadPosition.ofWindow(serial));
      pairs.add(10 * window + (int) (10 * SpreadPosition.ofPolling(serial)));
    }

    assertThat(pairs).hasSize(100);
  }

  /** Every fault of the position that a herd would feel is one that these windows show. */
  @Test
  void window_certificatesOfOneSecond_differentStarts() {
    SplittableRandom random = new SplittableRandom(76);
    List<Instant> starts = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      starts.add(USUAL.window(days(90), Herd.serial(random, days(90))).start());
    }

    assertThat(new HashSet<>(starts)).hasSizeGreaterThan(990);
  }

  private static Duration poll(SuggestedWindow window, Instant now) {
    return USUAL.pollAfter(days(90), serial(6), window, now, List.of());
  }

  private static Duration poll(Instant now, Replacement replacement) {
    SuggestedWindow window = USUAL.window(days(90), serial(6));
    return USUAL.pollAfter(days(90), serial(6), window, now, List.of(replacement));
  }

  private static void assertSpread(Validity life, long certificates, int days, boolean isEnough) {
    RenewalWindows windows = new RenewalWindows(new RenewalLoad(certificates, 0.1));

    assertThat(windows.spread(life)).as("%d certificates", certificates).hasDays(days);
    assertThat(windows.fits(life)).as("%d certificates", certificates).isEqualTo(isEnough);
  }

  private static void assertInsideTheLimits(Validity validity, SuggestedWindow window) {
    Duration life = Duration.between(validity.notBefore(), validity.notAfter());
    Duration start = Duration.between(validity.notBefore(), window.start());
    Duration end = Duration.between(validity.notBefore(), window.end());

    assertThat(start.multipliedBy(3)).as("%s", window).isGreaterThanOrEqualTo(life);
    assertThat(end.multipliedBy(6)).as("%s", window).isLessThanOrEqualTo(life.multipliedBy(5));
  }

  /** Lives from a second to 30 years, as many short ones as long ones. */
  private static Validity randomValidity(SplittableRandom random) {
    long life = (long) Math.exp(random.nextDouble(Math.log(30L * 365 * 86_400)));
    Instant notBefore = ISSUED.plusSeconds(random.nextLong(365L * 86_400));
    return new Validity(notBefore, notBefore.plusSeconds(Math.max(1, life)));
  }

  private static RenewalWindows at(double position) {
    return new RenewalWindows(RenewalLoad.UNKNOWN, serial -> position);
  }

  private static Validity days(int days) {
    return new Validity(ISSUED, ISSUED.plus(Duration.ofDays(days)));
  }

  private static SerialNumber serial(long seed) {
    return Herd.serial(new SplittableRandom(seed), days(90));
  }
}
