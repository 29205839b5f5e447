package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.time.Deadline;

class AdmissionTest {

  private static final RequesterId WHO = new RequesterId("who");
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  private long now = 5 * SECOND;
  private boolean signerUsable = true;

  @Test
  void admit_everyPlaceTaken_shedAsSaturated() {
    Admission admission = admission(2);

    LinePermit first = admitted(admission);
    admitted(admission);

    assertThat(shed(admission).cause()).isEqualTo(Cause.SATURATED);
    first.close();
    admitted(admission);
    assertThat(admission.occupancy().inFlight()).isEqualTo(2);
  }

  @Test
  void admission_withoutAPlace_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> admission(0));
  }

  @Test
  void place_givenBackInEveryWay_freedOnce() {
    Admission admission = admission(3);
    LinePermit kept = admitted(admission);
    LinePermit place = admitted(admission);

    place.close();
    place.completed();
    place.close();

    assertThat(admission.occupancy().inFlight()).isEqualTo(1);
    kept.completed();
    kept.completed();
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  @Test
  void admit_deadlineReachedOrOneNanoLeft_bothSides() {
    Admission admission = admission(10);

    assertThat(ask(admission, now)).isInstanceOf(Shed.class);
    assertThat(ask(admission, now + 1)).isInstanceOf(LinePermit.class);
  }

  @Test
  void admit_workAheadOutlastsDeadline_shedAsUnreachable() {
    Admission admission = admission(100);
    Queue<LinePermit> line = steadyLine(admission, 20, 10 * MILLISECOND, 1_000);

    // 20 are there; the next is 21st and done in 210 ms.
    assertThat(line).hasSize(20);
    assertThat(shed(admission, now + 205 * MILLISECOND).cause())
        .isEqualTo(Cause.DEADLINE_UNREACHABLE);
    assertThat(ask(admission, now + 215 * MILLISECOND)).isInstanceOf(LinePermit.class);
  }

  @Test
  void drain_begun_lockIsFree() throws Exception {
    Admission admission = admission(1);
    admission.drain();

    Thread other = Thread.ofVirtual().start(() -> ask(admission, now + SECOND));

    assertThat(other.join(Duration.ofSeconds(20))).isTrue();
  }

  @Test
  void admit_idleLineAfterASlowSpell_admitsAndLearnsAnew() {
    Admission admission = admission(100);
    steadyLine(admission, 8, 30 * SECOND, 20).forEach(LinePermit::close);
    assertThat(admission.occupancy().drainPerSecond()).isLessThan(0.6);

    // The token is well again: one request at a time, each done in a millisecond.
    for (int i = 0; i < 3_000; i++) {
      LinePermit place = admitted(admission, now + SECOND);
      now += MILLISECOND;
      place.completed();
    }

    assertThat(admission.occupancy().drainPerSecond()).isGreaterThan(600);
  }

  @Test
  void admit_partlyRecoveredLine_capacityReturns() {
    Admission admission = admission(100);
    steadyLine(admission, 8, 2 * SECOND, 20).forEach(LinePermit::close);
    Queue<LinePermit> line = new ArrayDeque<>();

    // Two clients a millisecond ask, a signature takes one millisecond, deadlines are 10 s away.
    for (int i = 0; i < 4_000; i++) {
      for (int client = 0; client < 2; client++) {
        if (ask(admission, now + 10 * SECOND) instanceof LinePermit place) {
          line.add(place);
        }
      }
      now += MILLISECOND;
      line.remove().completed();
    }

    // All but what is kept for renewals, for bulk, and for the next requester.
    assertThat(admission.occupancy().inFlight()).isGreaterThan(60);
  }

  @Test
  void drainRate_quietLine_notLearnt() {
    Admission admission = admission(100);

    for (int i = 0; i < 50; i++) {
      LinePermit place = admitted(admission);
      now += SECOND;
      place.completed();
    }

    assertThat(admission.occupancy().drainPerSecond()).isZero();
  }

  @Test
  void drainRate_refusedWork_notLearnt() {
    Admission admission = admission(100);
    List<LinePermit> line = places(admission, 30);

    for (LinePermit place : line) {
      now += MILLISECOND;
      place.close();
    }

    assertThat(admission.occupancy().drainPerSecond()).isZero();
  }

  @Test
  void drainRate_busyLine_isThatOfItsCompletions() {
    Admission admission = admission(400);

    assertThat(steadyLine(admission, 50, 4 * MILLISECOND, 2_000)).hasSize(50);

    assertThat(admission.occupancy().drainPerSecond()).isBetween(240.0, 260.0);
  }

  @Test
  void admit_signerLost_ladderByTheTimeItIsLost() {
    Admission admission = admission(10);
    signerUsable = false;

    int[] at = {0, 4, 5, 9, 10, 19, 20, 39, 40, 59, 60, 120};
    int[] advised = {5, 5, 10, 10, 20, 20, 40, 40, 60, 60, 60, 60};
    long lostAt = now;
    for (int i = 0; i < at.length; i++) {
      now = lostAt + at[i] * SECOND;
      Shed shed = shed(admission);

      assertThat(shed.cause()).isEqualTo(Cause.SIGNER_LOST);
      assertThat(shed.retryAfter().toMillis() / 1000.0)
          .as("after %d s", at[i])
          .isBetween(
              advised[i] * (advised[i] == 60 ? 0.7 : 0.85), Math.min(60, advised[i] * 1.15 + 1));
    }
  }

  @Test
  void admit_signerLostAnHourAfterTheLastLossWasMet_ladderStartsAnew() {
    Admission admission = admission(10);
    signerUsable = false;
    shed(admission);
    now += 3600 * SECOND;

    assertThat(shed(admission).retryAfter()).isLessThanOrEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void admit_signerBackAndLostAgain_ladderStartsAnew() {
    Admission admission = admission(10);
    signerUsable = false;
    shed(admission);
    now += 60 * SECOND;
    assertThat(shed(admission).retryAfter()).isGreaterThan(Duration.ofSeconds(40));

    signerUsable = true;
    admitted(admission).close();
    signerUsable = false;

    assertThat(shed(admission).retryAfter()).isLessThanOrEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void drain_begun_admitsNobodyAndKeepsPlaces() {
    Admission admission = admission(10);
    LinePermit place = admitted(admission);

    admission.drain();

    assertThat(shed(admission).cause()).isEqualTo(Cause.DRAINING);
    assertThat(admission.occupancy().inFlight()).isEqualTo(1);
    place.completed();
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  @Test
  void admit_tickerNegativeAndWrapping_boundHolds() {
    now = Long.MAX_VALUE - MILLISECOND;
    Admission admission = admission(100);
    Queue<LinePermit> line = steadyLine(admission, 50, MILLISECOND, 1_000);

    assertThat(now).isNegative();
    assertThat(line).hasSize(50);
    assertThat(admission.occupancy().drainPerSecond()).isBetween(980.0, 1020.0);
    assertThat(ask(admission, now + SECOND)).isInstanceOf(LinePermit.class);
  }

  @Test
  void admit_manyThreads_neverMoreThanThePlaces() throws Exception {
    Admission admission = new Admission(7, () -> true, () -> 0, new SplittableRandom(1));
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Integer>> highest = new ArrayList<>();

    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        highest.add(
            threads.submit(
                () -> {
                  assertThat(start.await(60, TimeUnit.SECONDS)).isTrue();
                  return highestOccupancy(admission);
                }));
      }
      start.countDown();
    }

    for (Future<Integer> seen : highest) {
      assertThat(seen.get()).isBetween(1, 7);
    }
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  private static int highestOccupancy(Admission admission) {
    int highest = 0;
    for (int i = 0; i < 5_000; i++) {
      Queue<LinePermit> held = new ArrayDeque<>();
      for (int j = 0; j < 3; j++) {
        if (ask(admission, 1) instanceof LinePermit place) {
          held.add(place);
        }
      }
      highest = Math.max(highest, admission.occupancy().inFlight());
      held.forEach(LinePermit::completed);
      held.forEach(LinePermit::close);
    }
    return highest;
  }

  /** A line of {@code size} from which each that is done is followed by another. */
  private Queue<LinePermit> steadyLine(
      Admission admission, int size, long spacing, int completions) {
    Queue<LinePermit> line = new ArrayDeque<>(places(admission, size));
    for (int i = 0; i < completions; i++) {
      now += spacing;
      line.remove().completed();
      line.add(admitted(admission));
    }
    return line;
  }

  private List<LinePermit> places(Admission admission, int count) {
    List<LinePermit> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(admitted(admission));
    }
    return places;
  }

  private LinePermit admitted(Admission admission) {
    return admitted(admission, now + 3_600 * SECOND);
  }

  private static LinePermit admitted(Admission admission, long deadline) {
    if (ask(admission, deadline) instanceof LinePermit place) {
      return place;
    }
    throw new AssertionError("shed");
  }

  private Shed shed(Admission admission) {
    return shed(admission, now + 3_600 * SECOND);
  }

  private static Shed shed(Admission admission, long deadline) {
    if (ask(admission, deadline) instanceof Shed shed) {
      return shed;
    }
    throw new AssertionError("admitted");
  }

  private static AdmissionDecision ask(Admission admission, long deadline) {
    return admission.admit(Lane.INTERACTIVE, WHO, new Deadline(deadline));
  }

  private Admission admission(int places) {
    return new Admission(places, () -> signerUsable, () -> now, new SplittableRandom(7));
  }
}
