package org.sluiceca.core.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

class ReplacementTest {

  private static final Instant ISSUED = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant BEGUN = ISSUED.plus(Duration.ofDays(20));
  private static final Validity LIFE = new Validity(ISSUED, ISSUED.plus(Duration.ofDays(90)));
  private static final RenewalWindows WINDOWS = new RenewalWindows(RenewalLoad.UNKNOWN);

  @Test
  void spread_certificatesAndRate_twiceTheDrainTimeWithinItsBounds() {
    // 100,000 at 10/s are 10,000 s; twice that in 19 twentieths is 5 h 50 min.
    assertThat(revoked(100_000, 10).spread()).hasSeconds(21_052);
    assertThat(revoked(1, 10).spread()).hasMinutes(5);
    assertThat(revoked(0, 0).spread()).hasMinutes(5);
    assertThat(revoked(100_000, 0.001).spread()).hasDays(1);
    assertThat(revoked(100_000, 0).spread()).hasDays(1);
  }

  @Test
  void fits_spareRateTooLowForTheLimit_false() {
    assertThat(revoked(100_000, 2.5).fits()).isTrue();
    assertThat(revoked(100_000, 2.4).fits()).isFalse();
    assertThat(revoked(1, 0).fits()).isFalse();
    assertThat(revoked(0, 0).fits()).isTrue();
  }

  @Test
  void window_ofEachUrgency_allMoreUrgentOnesBefore() {
    Replacement mixed =
        new Replacement(
            BEGUN,
            Map.of(Urgency.COMPROMISED, 20L, Urgency.REVOKED, 30L, Urgency.STILL_VALID, 50L),
            0.01,
            Replacement.A_DAY);
    Duration starts = mixed.spread().multipliedBy(19).dividedBy(20);

    assertThat(first(Urgency.COMPROMISED, mixed)).isEqualTo(BEGUN);
    assertClose(first(Urgency.REVOKED, mixed), BEGUN.plus(starts.dividedBy(5)));
    assertClose(first(Urgency.STILL_VALID, mixed), BEGUN.plus(starts.dividedBy(2)));
    assertClose(
        at(Math.nextDown(1.0)).window(LIFE, serial(1), Urgency.STILL_VALID, mixed).end(),
        BEGUN.plus(mixed.spread()));
  }

  @Test
  void window_plannedOneEndsEarlier_thePlannedOne() {
    Instant late = ISSUED.plus(Duration.ofDays(80));
    Replacement replacement =
        new Replacement(late, Map.of(Urgency.REVOKED, 100_000L), 4, Replacement.A_DAY);

    assertThat(WINDOWS.window(LIFE, serial(2), Urgency.REVOKED, replacement))
        .isEqualTo(WINDOWS.window(LIFE, serial(2)));
  }

  /** A certificate that ends before its place in the spread comes would not be renewed in time. */
  @Test
  void window_seededLives_beginsInTheSpreadAndEndsBeforeFiveSixthsOfTheLife() {
    SplittableRandom random = new SplittableRandom(77);
    Replacement replacement = revoked(100_000, 2.5);
    for (int i = 0; i < 10_000; i++) {
      long life = (long) Math.exp(random.nextDouble(1, Math.log(3650.0 * 86_400)));
      Instant notBefore = BEGUN.minusSeconds(random.nextLong(life));
      Validity validity = new Validity(notBefore, notBefore.plusSeconds(life));
      Urgency urgency = List.of(Urgency.values()).get(random.nextInt(3));
      SerialNumber serial = Herd.serial(random, validity);

      SuggestedWindow window = WINDOWS.window(validity, serial, urgency, replacement);

      assertThat(window.start()).isBefore(BEGUN.plus(replacement.spread()));
      assertThat(Duration.between(notBefore, window.end()).multipliedBy(6))
          .isLessThanOrEqualTo(Duration.ofSeconds(life).multipliedBy(5));
    }
  }

  @Test
  void window_urgencyThatWasNotCounted_afterTheMoreUrgentOnes() {
    Replacement none = revoked(100, 0.01);

    assertThat(at(0.5).window(LIFE, serial(1), Urgency.COMPROMISED, none).start()).isEqualTo(BEGUN);
    assertThat(at(0.5).window(LIFE, serial(1), Urgency.STILL_VALID, none).end())
        .isEqualTo(BEGUN.plus(none.spread()));
  }

  @Test
  void urgency_ofEachReason_compromiseFirst() {
    assertThat(
            Arrays.stream(RevocationReason.values())
                .filter(reason -> Urgency.of(reason) == Urgency.COMPROMISED))
        .containsExactly(
            RevocationReason.KEY_COMPROMISE,
            RevocationReason.CA_COMPROMISE,
            RevocationReason.AA_COMPROMISE);
    assertThat(Urgency.of(RevocationReason.SUPERSEDED)).isEqualTo(Urgency.REVOKED);
  }

  @Test
  void replacement_figuresOutOfRange_refused() {
    assertRefused(-1, 1, Replacement.A_DAY);
    assertRefused(1, -1, Replacement.A_DAY);
    assertRefused(1, Double.NaN, Replacement.A_DAY);
    assertRefused(1, 1, Replacement.SPREAD_MIN.minusSeconds(1));
    assertRefused(1, 1, Replacement.WITHIN_MAX.plusSeconds(1));
  }

  private static void assertRefused(long certificates, double rate, Duration within) {
    Map<Urgency, Long> counts = Map.of(Urgency.REVOKED, certificates);
    assertThatThrownBy(() -> new Replacement(BEGUN, counts, rate, within))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertClose(Instant actual, Instant expected) {
    assertThat(Duration.between(actual, expected).abs()).isLessThanOrEqualTo(Duration.ofSeconds(1));
  }

  private static Instant first(Urgency urgency, Replacement replacement) {
    return at(0).window(LIFE, serial(1), urgency, replacement).start();
  }

  private static Replacement revoked(long certificates, double rate) {
    return new Replacement(BEGUN, Map.of(Urgency.REVOKED, certificates), rate, Replacement.A_DAY);
  }

  private static RenewalWindows at(double position) {
    return new RenewalWindows(RenewalLoad.UNKNOWN, serial -> position);
  }

  private static SerialNumber serial(long seed) {
    return Herd.serial(new SplittableRandom(seed), LIFE);
  }
}
