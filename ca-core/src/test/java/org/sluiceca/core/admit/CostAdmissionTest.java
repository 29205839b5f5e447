package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Limit;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Deadline;

/** Requests that cost the signer differently: waits and bounds in work, places in requests. */
class CostAdmissionTest {

  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final int PLACES = 160;

  private long now = -3 * SECOND;
  private double signerPerSecond;
  private final Admission admission =
      new Admission(
          new Admission.Terms(PLACES, Optional.empty()),
          Admission.Signer.ofOne(() -> true, () -> signerPerSecond),
          () -> now,
          new SplittableRandom(5));

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.99, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void admit_costBelowOneOrNone_refused(double cost) {
    assertThatIllegalArgumentException().isThrownBy(() -> ask(1, cost));
  }

  @Test
  void admit_aCost_carried() {
    assertThat(admitted(1, 8).cost()).isEqualTo(8);
    assertThat(
            admission.admit(Lane.BULK, new RequesterId("r"), new Deadline(now + SECOND))
                    instanceof LinePermit place
                ? place.cost()
                : 0)
        .isEqualTo(1);
  }

  /** Ten jobs a second of such as are there, 10/3 each: the work ahead at 33/s. */
  @Test
  void standing_mixedCosts_theWorkAheadAtTheRateOfWork() {
    signerPerSecond = 10;
    LinePermit first = admitted(1, 1);
    LinePermit costly = admitted(2, 8);
    LinePermit last = admitted(3, 1);

    assertThat(first.position().etaSeconds().orElseThrow()).isCloseTo(0.03, within(1e-9));
    assertThat(costly.position().etaSeconds().orElseThrow()).isCloseTo(0.27, within(1e-9));
    assertThat(last.position().etaSeconds().orElseThrow()).isCloseTo(0.3, within(1e-9));
    assertThat(last.position().position()).isEqualTo(2);
    assertThat(lane().etaSeconds()).isCloseTo(0.3, within(1e-9));
  }

  /** 20 of work are there, and 100 are done a second. */
  @Test
  void admit_deadlineBetweenTheTwoWaits_onlyTheCostlyIsUnreachable() {
    steadyLine(20, 1, 10 * MILLISECOND, 1_000);
    long deadline = now + 250 * MILLISECOND;

    assertThat(ask(0, 8, deadline)).isInstanceOf(Shed.class);
    assertThat(((Shed) ask(0, 8, deadline)).cause()).isEqualTo(Cause.DEADLINE_UNREACHABLE);
    assertThat(ask(0, 1, deadline)).isInstanceOf(LinePermit.class);
  }

  /** Places are memory: as many of the costly as of the cheap. */
  @Test
  void admit_fastSigner_placesInRequestsWhateverTheyCost() {
    signerPerSecond = 10_000;

    int taken = 0;
    while (ask(taken, taken % 2 == 0 ? 1 : 64) instanceof LinePermit) {
      taken++;
    }

    assertThat(taken).isEqualTo(PLACES - 20 - 10);
  }

  /** 2 s of 50 of work a second are 100, of which one alone gets 4/5, and a part of one more. */
  @Test
  void admit_slowSigner_twoSecondsOfWorkWhateverTheRequestsCost() {
    for (double cost : new double[] {1, 2.5, 5}) {
      for (LinePermit place : steadyLine(20, 1, 20 * MILLISECOND, 1_000)) {
        place.close();
      }
      List<LinePermit> places = fill(7, cost);

      assertThat(places.size() * cost).as("cost %s", cost).isBetween(78.0, 88.0);
      places.forEach(LinePermit::close);
    }
  }

  /** Four of them would be 2 s of work; sixteen make the line busy, so one alone gets 4/5. */
  @Test
  void admit_eachTakesHalfASecondOfTheSigner_enoughToMakeTheLineBusy() {
    steadyLine(20, 1, 20 * MILLISECOND, 1_000).forEach(LinePermit::close);

    assertThat(fill(1, 25)).hasSize(13);
  }

  /** Who comes next finds room, though there are few of the costly. */
  @Test
  void admit_filledByTheCostly_cheapFindsRoomAndCostlyIsOverItsShare() {
    steadyLine(20, 1, 20 * MILLISECOND, 1_000).forEach(LinePermit::close);
    List<LinePermit> costly = fill(1, 8);

    for (int i = 0; i < 10; i++) {
      assertThat(ask(2, 1))
          .as("cheap %d alongside %d", i, costly.size())
          .isInstanceOf(LinePermit.class);
    }
    Shed shed = (Shed) ask(1, 8);

    assertThat(shed.cause()).isEqualTo(Cause.OVER_SHARE);
    // Sixteen of these for three: who had the line before wants it too.
    assertThat(shed.limit().map(Limit::requests)).contains(5);
  }

  /** The hundredth in a row has its turn when the work of a hundred is done. */
  @Test
  void retryAfter_ownTurns_atTheRateOfItsCost() {
    double cheap = toldToTheLast(1, 1);
    double costly = toldToTheLast(2, 8);

    assertThat(costly / cheap).as("%s and %s s", costly, cheap).isBetween(5.5, 10.9);
  }

  private double toldToTheLast(int who, double cost) {
    steadyLine(20, 1, 10 * MILLISECOND, 3_000).forEach(LinePermit::close);
    List<LinePermit> places = fill(who, cost);
    Duration advised = Duration.ZERO;
    for (int i = 0; i < 300; i++) {
      advised = ((Shed) ask(who, cost)).retryAfter();
    }
    places.forEach(LinePermit::close);
    now += 900 * SECOND;
    return advised.toSeconds();
  }

  /** One in nine costs 8: the mean is 16/9, so 56 of them a second are 100 of work. */
  @Test
  void occupancy_mixedCosts_requestsOfTheMeanCost() {
    Queue<LinePermit> line = new ArrayDeque<>();
    for (int i = 0; i < 20; i++) {
      line.add(admitted(i, i % 9 == 0 ? 8 : 1));
    }
    for (int i = 20; i < 2_000; i++) {
      now += (long) (1e7 * line.element().cost());
      line.remove().completed();
      line.add(admitted(i, i % 9 == 0 ? 8 : 1));
    }

    assertThat(admission.occupancy().drainPerSecond()).isBetween(49.0, 64.0);
    assertThat(lane().perSecond()).isBetween(49.0, 64.0);
    assertThat(lane().capacity()).isBetween(98, 128);
    assertThat(lane().depth()).isEqualTo(20);
    assertThat(lane().etaSeconds()).isBetween(0.30, 0.50);
  }

  @Test
  void place_givenBack_leavesNoWorkBehind() {
    signerPerSecond = 100;
    List<LinePermit> places = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      places.add(admitted(i % 3, 1 + i / 7.0));
    }

    places.forEach(LinePermit::close);

    assertThat(lane().etaSeconds()).isZero();
    assertThat(fill(1, 1)).as("all that one alone gets").hasSizeGreaterThanOrEqualTo(100);
  }

  /** A line of {@code size} from which each that is done is followed by another. */
  private Queue<LinePermit> steadyLine(int size, double cost, long spacing, int completions) {
    Queue<LinePermit> line = new ArrayDeque<>();
    for (int i = 0; i < size; i++) {
      line.add(admitted(0, cost));
    }
    for (int i = 0; i < completions; i++) {
      now += spacing;
      line.remove().completed();
      line.add(admitted(0, cost));
    }
    return line;
  }

  private List<LinePermit> fill(int who, double cost) {
    List<LinePermit> places = new ArrayList<>();
    while (ask(who, cost) instanceof LinePermit place) {
      places.add(place);
    }
    return places;
  }

  private LinePermit admitted(int who, double cost) {
    if (ask(who, cost) instanceof LinePermit place) {
      return place;
    }
    throw new AssertionError("shed");
  }

  private AdmissionDecision ask(int who, double cost) {
    return ask(who, cost, now + 3_600 * SECOND);
  }

  private AdmissionDecision ask(int who, double cost, long deadline) {
    return admission.admit(
        Lane.INTERACTIVE, new RequesterId("r" + who), SigningCost.of(cost), new Deadline(deadline));
  }

  private LaneOccupancy lane() {
    return admission.occupancy().lanes().stream()
        .filter(l -> l.lane() == Lane.INTERACTIVE)
        .findFirst()
        .orElseThrow();
  }
}
