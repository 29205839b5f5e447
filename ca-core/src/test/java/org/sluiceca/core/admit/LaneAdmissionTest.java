package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Limit;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.quota.Quota;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Deadline;

/** What each lane takes, and what a requester learns of its position. */
class LaneAdmissionTest {

  private static final long SECOND = 1_000_000_000;
  private static final int PLACES = 160;

  private long now = 7 * SECOND;
  private double signerPerSecond = 10_000;
  private Optional<Quota> quota = Optional.empty();

  @Test
  void admit_interactiveFull_renewalAndBulkAndStatusStillFindPlaces() {
    Admission admission = admission();
    int interactive = fill(admission, Lane.INTERACTIVE);

    int bulk = fill(admission, Lane.BULK);
    int renewal = fill(admission, Lane.RENEWAL);

    // All but the 20 and 10 that are kept for the others.
    assertThat(interactive).isEqualTo(PLACES - 20 - 10);
    assertThat(bulk).isEqualTo(10);
    assertThat(renewal).isEqualTo(20);
    assertThat(admission.occupancy().inFlight()).isEqualTo(PLACES);
    for (int i = 0; i < 50; i++) {
      assertThat(ask(admission, Lane.STATUS, i)).isInstanceOf(LinePermit.class);
    }
  }

  @Test
  void admit_bulkAlone_hasAQuarterOfThePlaces() {
    assertThat(fill(admission(), Lane.BULK)).isEqualTo(PLACES / 4);
  }

  @Test
  void admit_renewalAlone_leavesWhatIsKeptForOthers() {
    assertThat(fill(admission(), Lane.RENEWAL)).isEqualTo(PLACES - 20 - 10);
  }

  @Test
  void admit_slowSigner_boundedByTheTimeThatTheWorkTakes() {
    signerPerSecond = 12;
    assertThat(fill(admission(), Lane.INTERACTIVE)).isEqualTo(24);
    assertThat(fill(admission(), Lane.RENEWAL)).isEqualTo(120);

    signerPerSecond = 6;
    assertThat(fill(admission(), Lane.BULK)).isEqualTo(30);
  }

  /** At 5/s two seconds are 10 requests: one requester alone would never make the line busy. */
  @Test
  void admit_verySlowSigner_enoughToLearnItsRate() {
    signerPerSecond = 1;

    assertThat(fill(admission(), Lane.INTERACTIVE)).isEqualTo(10);
    signerPerSecond = 2;
    assertThat(fill(admission(), Lane.INTERACTIVE)).isEqualTo(16);
  }

  @Test
  void admit_signerUnknown_fewUntilItIsKnown() {
    signerPerSecond = 0;

    assertThat(fill(admission(), Lane.INTERACTIVE)).isEqualTo(Lanes.COLD_PLACES);
  }

  @Test
  void standing_ofEach_countsThoseOfItsLaneThatCameBefore() {
    signerPerSecond = 10;
    Admission admission = admission();
    List<LinePermit> interactive = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      interactive.add(admitted(ask(admission, Lane.INTERACTIVE, i)));
    }
    LinePermit renewal = admitted(ask(admission, Lane.RENEWAL, 9));

    assertThat(interactive.get(4).position().position()).isEqualTo(4);
    assertThat(renewal.position().position()).isZero();
    assertThat(renewal.lane()).isEqualTo(Lane.RENEWAL);
    interactive.get(1).close();
    assertThat(interactive.get(4).position().position()).isEqualTo(3);
    assertThat(interactive.get(4).position().etaSeconds().orElseThrow()).isEqualTo(0.4);
    assertThat(interactive.get(4).position().retryAfter()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void standing_rateUnknown_noEtaAndTwoSeconds() {
    signerPerSecond = 0;
    QueuePosition position = admitted(ask(admission(), Lane.BULK, 1)).position();

    assertThat(position.etaSeconds()).isEmpty();
    assertThat(position.retryAfter()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void occupancy_ofALane_tellsDepthAgeAndEta() {
    signerPerSecond = 10;
    Admission admission = admission();
    for (int i = 0; i < 3; i++) {
      LinePermit _ = admitted(ask(admission, Lane.BULK, i));
      now += SECOND / 2;
    }

    LaneOccupancy bulk = lane(admission, Lane.BULK);

    assertThat(bulk.depth()).isEqualTo(3);
    assertThat(bulk.capacity()).isEqualTo(PLACES / 4);
    assertThat(bulk.oldestAgeNanos()).isEqualTo(3 * SECOND / 2);
    assertThat(bulk.etaSeconds()).isEqualTo(0.3);
    assertThat(lane(admission, Lane.RENEWAL).oldestAgeNanos()).isZero();
  }

  @Test
  void quota_usedUp_refusedUntilAPartOfTheWindowHasPassed() {
    quota = Optional.of(new Quota(6, Duration.ofMinutes(1)));
    Admission admission = admission();
    for (int i = 0; i < 6; i++) {
      admitted(ask(admission, Lane.INTERACTIVE, 1)).close();
    }

    Shed shed = (Shed) ask(admission, Lane.INTERACTIVE, 1);

    assertThat(shed.cause()).isEqualTo(Cause.OVER_QUOTA);
    assertThat(shed.limit()).contains(new Limit(6, Duration.ofMinutes(1)));
    assertThat(shed.retryAfter()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12));
    assertThat(ask(admission, Lane.INTERACTIVE, 2)).isInstanceOf(LinePermit.class);
    now += 10 * SECOND - 1;
    assertThat(ask(admission, Lane.BULK, 1)).isInstanceOf(Shed.class);
    now += 1;
    assertThat(ask(admission, Lane.BULK, 1)).isInstanceOf(LinePermit.class);
    assertThat(ask(admission, Lane.BULK, 1)).isInstanceOf(Shed.class);
  }

  @Test
  void quota_usedUpInTwoLanes_toldTheSameTime() {
    quota = Optional.of(new Quota(1, Duration.ofMinutes(1)));
    Admission admission = admission();
    admitted(ask(admission, Lane.INTERACTIVE, 1)).close();

    for (Lane lane : new Lane[] {Lane.INTERACTIVE, Lane.BULK}) {
      Duration advised = ((Shed) ask(admission, lane, 1)).retryAfter();
      assertThat(advised).as("%s", lane).isGreaterThanOrEqualTo(Duration.ofSeconds(60));
    }
  }

  @Test
  void quota_shedForAnotherReason_notUsed() {
    quota = Optional.of(new Quota(1, Duration.ofMinutes(1)));
    Admission admission = admission();

    assertThat(admission.admit(Lane.BULK, who(1), new Deadline(now))).isInstanceOf(Shed.class);

    assertThat(ask(admission, Lane.BULK, 1)).isInstanceOf(LinePermit.class);
  }

  @Test
  void quota_bounds_bothSides() {
    Duration minute = Duration.ofMinutes(1);
    assertThat(new Quota(1, Duration.ofSeconds(1)).requests()).isEqualTo(1);
    assertThat(new Quota(1_000_000, Duration.ofDays(1)).requests()).isEqualTo(1_000_000);
    assertThatIllegalArgumentException().isThrownBy(() -> new Quota(0, minute));
    assertThatIllegalArgumentException().isThrownBy(() -> new Quota(1_000_001, minute));
    assertThatIllegalArgumentException().isThrownBy(() -> new Quota(1, Duration.ofMillis(999)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Quota(1, Duration.ofDays(1).plusNanos(1)));
  }

  /** They do not come back, so a turn that one of them had would be lost to who does. */
  @Test
  void admitOrder_noPlace_takesNoTurn() {
    signerPerSecond = 10;
    Admission some = filled();
    for (int i = 0; i < 1_000; i++) {
      assertThat(order(some)).isInstanceOf(Shed.class);
    }

    assertThat(waits(some)).isEqualTo(waits(filled()));
  }

  /** What waits elsewhere takes nothing of the rate that is left for who comes back. */
  @Test
  void admitOrder_refused_isNoOrdinaryLoad() {
    signerPerSecond = 10;
    Admission some = admission();
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 50; i++) {
        // Too late for this line, however empty it is.
        assertThat(
                some.admitOrder(
                    Lane.INTERACTIVE, who(999), SigningCost.ORDINARY, new Deadline(now)))
            .isInstanceOf(Shed.class);
      }
      now += SECOND;
    }
    fill(some, Lane.INTERACTIVE);

    assertThat(waits(some)).isEqualTo(waits(filled()));
  }

  /** One that has a place is load as any other. */
  @Test
  void admitOrder_placeTaken_isOrdinaryLoad() {
    signerPerSecond = 10;
    Admission some = admission();
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 8; i++) {
        ((LinePermit) order(some)).close();
      }
      now += SECOND;
    }
    fill(some, Lane.INTERACTIVE);

    assertThat(sum(waits(some))).isGreaterThan(2 * sum(waits(filled())));
  }

  /** The Retry-After of each of many clients that are refused now. */
  private List<Duration> waits(Admission admission) {
    List<Duration> advised = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      advised.add(((Shed) ask(admission, Lane.INTERACTIVE, 1_000 + i)).retryAfter());
    }
    return advised;
  }

  private static long sum(List<Duration> waits) {
    return waits.stream().mapToLong(Duration::toSeconds).sum();
  }

  private AdmissionDecision order(Admission admission) {
    return admission.admitOrder(
        Lane.INTERACTIVE, who(999), SigningCost.ORDINARY, new Deadline(now + 10 * SECOND));
  }

  private Admission filled() {
    Admission admission = admission();
    fill(admission, Lane.INTERACTIVE);
    return admission;
  }

  /** Takes places, each for another requester, until there is none. */
  private int fill(Admission admission, Lane lane) {
    int taken = 0;
    while (ask(admission, lane, taken) instanceof LinePermit) {
      taken++;
    }
    return taken;
  }

  private AdmissionDecision ask(Admission admission, Lane lane, int requester) {
    return admission.admit(lane, who(requester), new Deadline(now + 10 * SECOND));
  }

  private static LinePermit admitted(AdmissionDecision decision) {
    if (decision instanceof LinePermit place) {
      return place;
    }
    throw new AssertionError("shed");
  }

  private static LaneOccupancy lane(Admission admission, Lane lane) {
    return admission.occupancy().lanes().stream()
        .filter(l -> l.lane() == lane)
        .findFirst()
        .orElseThrow();
  }

  private static RequesterId who(int number) {
    return new RequesterId("r" + number);
  }

  private Admission admission() {
    return new Admission(
        new Admission.Terms(PLACES, quota),
        Admission.Signer.ofOne(() -> true, () -> signerPerSecond),
        () -> now,
        new SplittableRandom(5));
  }
}
