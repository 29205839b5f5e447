package org.sluiceca.core.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.core.renewal.Herd.Kind.RUNS_BY_TIMER;
import static org.sluiceca.core.renewal.Herd.Kind.SCHEDULES;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.renewal.Herd.Habit;
import org.sluiceca.core.renewal.Herd.Kind;

/**
 * 100,000 certificates of one hour, when their clients renew them: by hour after planned windows,
 * by five minutes after a mass revocation. The figures are in ADR 0070.
 */
class RenewalHerdSimulationTest {

  private static final int CERTIFICATES = 100_000;
  private static final long SEED = 70;
  private static final Duration LIFE = Duration.ofDays(90);
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  /** The busiest hour may have this many times the mean of the renewal day. */
  private static final double LEVEL = 1.2;

  private static final Habit SCHEDULED = habit(SCHEDULES, 6);
  private static final Habit TWICE_A_DAY = habit(RUNS_BY_TIMER, 12);
  private static final Habit ONCE_A_DAY = habit(RUNS_BY_TIMER, 24);
  private static final List<Habit> ALL = List.of(SCHEDULED, TWICE_A_DAY, ONCE_A_DAY);

  private static final Herd SCHEDULING = new Herd(SEED, CERTIFICATES, LIFE, List.of(SCHEDULED));
  private static final Herd MIXED = new Herd(SEED, CERTIFICATES, LIFE, ALL);
  private static final List<Herd> HERDS =
      List.of(SCHEDULING, new Herd(SEED, CERTIFICATES, LIFE, List.of(TWICE_A_DAY)), MIXED);

  /** Faults are found among fewer. */
  private static final int FEW = CERTIFICATES / 10;

  private static final Herd FEW_SCHEDULING = new Herd(SEED, FEW, LIFE, List.of(SCHEDULED));

  private static final Instant BEGUN = Herd.ISSUED.plus(Duration.ofDays(20));

  /** At this spare rate 100,000 fill the day: 83,000 s. */
  private static final double SLOWEST = 2.53;

  private final RenewalWindows usual = new RenewalWindows(RenewalLoad.UNKNOWN);

  @Test
  void plannedWindows_clientsOfEachHabit_busiestHourNearTheMean() {
    for (Herd herd : HERDS) {
      assertThat(byHour(herd, usual).busiestHour()).as("%s", herd).isLessThanOrEqualTo(LEVEL);
    }
  }

  /** Six days: the spread is two days, and some clients wake every sixth of the life. */
  @Test
  void plannedWindows_shortLife_busiestHourNearTheMean() {
    Herd herd = new Herd(SEED, CERTIFICATES, Duration.ofDays(6), ALL);

    assertThat(byHour(herd, usual).busiestHour()).isLessThanOrEqualTo(LEVEL);
  }

  /** Three days: all renew within 24 hours, the renewal day in the strictest sense. */
  @Test
  void plannedWindows_spreadOfADay_busiestHourNearTheMean() {
    Herd herd = new Herd(SEED, CERTIFICATES, Duration.ofDays(3), List.of(SCHEDULED));
    Arrivals arrivals = byHour(herd, usual);

    assertThat(arrivals.intervals()).isEqualTo(25);
    assertThat(arrivals.busiestHour()).isLessThanOrEqualTo(LEVEL);
  }

  @Test
  void withoutWindows_clientsThatSchedule_allInTheFirstHour() {
    assertThat(byHour(SCHEDULING.renewalsAtTwoThirds()).busiestHour()).isEqualTo(24);
  }

  @Test
  void plannedWindows_onePositionForAll_found() {
    RenewalWindows faulty = new RenewalWindows(RenewalLoad.UNKNOWN, serial -> 0.5);

    assertThat(byHour(FEW_SCHEDULING, faulty).busiestHour()).isGreaterThan(LEVEL);
  }

  /** The window alone does not spread them: as narrow as it may be, all come in one hour. */
  @Test
  void plannedWindows_narrowestAndOnePositionForAll_found() {
    List<Instant> renewals =
        FEW_SCHEDULING.renewals(
            Herd.ISSUED,
            client -> {
              Instant due = Herd.ISSUED.plus(Duration.ofDays(60));
              return new SuggestedWindow(due, due.plusMillis(1));
            });

    assertThat(byHour(renewals).busiestHour()).isEqualTo(24);
  }

  /** 180 an hour: the spread grows with the population, and what does not fit is reported. */
  @Test
  void plannedWindows_smallHsmAndPopulationDoubled_busiestHourFitsTheSpareRate() {
    double spare = 0.05;
    for (int certificates : new int[] {CERTIFICATES / 2, CERTIFICATES}) {
      Herd herd = new Herd(SEED, certificates, LIFE, ALL);
      RenewalWindows windows = new RenewalWindows(new RenewalLoad(certificates, spare));

      assertThat(windows.fits(herd.clients().getFirst().validity())).isTrue();
      assertThat((double) byHour(herd, windows).max())
          .as("%d certificates", certificates)
          .isLessThanOrEqualTo(spare * 3600);
    }
  }

  @Test
  void plannedWindows_loadUnknownOnASmallHsm_found() {
    assertThat((double) byHour(FEW_SCHEDULING, usual).max()).isGreaterThan(0.005 * 3600);
  }

  @Test
  void massRevocation_clientsOfEachHabit_neverFasterThanTheSpareRate() {
    for (Herd herd : HERDS) {
      List<Instant> renewals = revoked(herd, usual, revocation(CERTIFICATES, SLOWEST));

      assertThat(overload(renewals, SLOWEST)).as("%s", herd).isLessThanOrEqualTo(LEVEL);
      assertThat(Collections.max(renewals)).isBeforeOrEqualTo(BEGUN.plus(Replacement.A_DAY));
      assertThat(Collections.min(renewals)).isAfterOrEqualTo(BEGUN);
    }
  }

  @Test
  void massRevocation_compromisedKeys_renewedBeforeTheOthers() {
    Replacement mixed =
        new Replacement(
            BEGUN,
            Map.of(Urgency.COMPROMISED, 10_000L, Urgency.REVOKED, 90_000L),
            SLOWEST,
            Replacement.A_DAY);
    List<Instant> renewals =
        SCHEDULING.renewals(
            BEGUN,
            client -> usual.window(client.validity(), client.serial(), urgency(client), mixed));

    Instant lastCompromised = Instant.MIN;
    for (int i = 0; i < renewals.size(); i++) {
      boolean isCompromised = urgency(SCHEDULING.clients().get(i)) == Urgency.COMPROMISED;
      if (isCompromised && renewals.get(i).isAfter(lastCompromised)) {
        lastCompromised = renewals.get(i);
      }
    }

    assertThat(overload(renewals, SLOWEST)).isLessThanOrEqualTo(LEVEL);
    // They learn of it in their next six hours; their places are the first tenth of 23 hours.
    assertThat(lastCompromised).isBefore(BEGUN.plus(Duration.ofHours(6)));
  }

  @Test
  void massRevocation_onePositionForAll_found() {
    RenewalWindows faulty = new RenewalWindows(RenewalLoad.UNKNOWN, serial -> 0.5);
    List<Instant> renewals = revoked(FEW_SCHEDULING, faulty, revocation(FEW, SLOWEST / 10));

    assertThat(overload(renewals, SLOWEST / 10)).isGreaterThan(LEVEL);
  }

  /** Without the factor of two, clients that come late add up with those whose place is now. */
  @Test
  void massRevocation_spreadOverTheDrainTimeItself_found() {
    Replacement tooFast = revocation(FEW, 2 * SLOWEST / 10);

    assertThat(overload(revoked(FEW_SCHEDULING, usual, tooFast), SLOWEST / 10)).isGreaterThan(1.8);
  }

  private static Urgency urgency(Herd.Client client) {
    return client.serial().hashCode() % 10 == 0 ? Urgency.COMPROMISED : Urgency.REVOKED;
  }

  private static Replacement revocation(long certificates, double spare) {
    Map<Urgency, Long> all = Map.of(Urgency.REVOKED, certificates);
    return new Replacement(BEGUN, all, spare, Replacement.A_DAY);
  }

  private static List<Instant> revoked(Herd herd, RenewalWindows windows, Replacement replacement) {
    return herd.renewals(
        BEGUN,
        client -> windows.window(client.validity(), client.serial(), Urgency.REVOKED, replacement));
  }

  /** Returns the busiest five minutes in times of what the spare rate signs in them. */
  private static double overload(List<Instant> renewals, double spare) {
    return new Arrivals(BEGUN, FIVE_MINUTES, renewals).max() / (spare * FIVE_MINUTES.toSeconds());
  }

  private static Arrivals byHour(Herd herd, RenewalWindows windows) {
    return byHour(
        herd.renewals(Herd.ISSUED, client -> windows.window(client.validity(), client.serial())));
  }

  private static Arrivals byHour(List<Instant> renewals) {
    return new Arrivals(Herd.ISSUED, Duration.ofHours(1), renewals);
  }

  private static Habit habit(Kind kind, int hours) {
    return new Habit(kind, Duration.ofHours(hours));
  }
}
