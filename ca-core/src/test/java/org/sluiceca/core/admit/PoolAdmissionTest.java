package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.quota.Quota;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.core.time.Deadline;

/** What waits for one token keeps no request from another. */
class PoolAdmissionTest {

  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final int PLACES = 512;
  private static final int NEAR_AT_ONCE = 5;
  private static final SigningPool NEAR = new SigningPool("near");
  private static final SigningPool FAR = new SigningPool("far");
  private static final RequesterId LOCAL = new RequesterId("local");
  private static final RequesterId MOVER = new RequesterId("mover");

  private final Set<SigningPool> lost = new HashSet<>();
  private final Map<SigningPool, Double> perSecond = new HashMap<>();
  private long now = 7 * SECOND;
  private Optional<Quota> quota = Optional.empty();

  /**
   * What became of a minute in which a tenant of 50/s, five at a time, asked for a key that can do
   * 330, and from the 20th second on another for 100/s of a key that can do 12.
   */
  private record Flood(int nearMost, int nearRefused, int farMost, int farRefused) {}

  /** Geo Key Manager's incident. */
  @Test
  void admit_farStationFlooded_nearOneRefusesNobodyAndItsLineStaysShort() {
    Flood flood = flood(NEAR, FAR);

    assertThat(flood.nearRefused).isZero();
    assertThat(flood.nearMost).isEqualTo(NEAR_AT_ONCE);
    // Two seconds of what it signs, and what is kept while its rate is not known.
    assertThat(flood.farMost).isBetween(20, Lanes.COLD_PLACES);
    assertThat(flood.farRefused).isGreaterThan(4_000 - 12 * 40 - 2 * Lanes.COLD_PLACES);
  }

  /** The planted fault, which is how it was: one line, that both teach and fill. */
  @Test
  void admit_oneLineForBoth_nearOneIsRefused() {
    assertThat(flood(SigningPool.ONLY, SigningPool.ONLY).nearRefused).isGreaterThan(100);
  }

  private Flood flood(SigningPool nearAt, SigningPool farAt) {
    perSecond.put(NEAR, 330.0);
    perSecond.put(FAR, 12.0);
    perSecond.put(SigningPool.ONLY, 342.0);
    Admission admission = admission();
    Queue<LinePermit> near = new ArrayDeque<>();
    Queue<LinePermit> far = new ArrayDeque<>();
    Flood flood = new Flood(0, 0, 0, 0);
    for (int tick = 0; tick < 60_000; tick++, now += MILLISECOND) {
      int nearRefused = 0;
      int farRefused = 0;
      if (tick % 100 == 0) {
        for (int i = 0; i < NEAR_AT_ONCE; i++) {
          nearRefused += takes(near, ask(admission, nearAt, LOCAL)) ? 0 : 1;
        }
      }
      if (tick >= 20_000 && tick % 10 == 0) {
        farRefused = takes(far, ask(admission, farAt, MOVER)) ? 0 : 1;
      }
      if (tick % 3 == 0 && !near.isEmpty()) {
        near.remove().completed();
      }
      if (tick % 83 == 0 && !far.isEmpty()) {
        far.remove().completed();
      }
      flood =
          new Flood(
              Math.max(flood.nearMost, near.size()),
              flood.nearRefused + nearRefused,
              Math.max(flood.farMost, far.size()),
              flood.farRefused + farRefused);
    }
    return flood;
  }

  private static boolean takes(Queue<LinePermit> line, AdmissionDecision decision) {
    return decision instanceof LinePermit place && line.add(place);
  }

  @Test
  void admit_farStationLost_refusedThereAlone() {
    Admission admission = admission();
    lost.add(FAR);

    Shed shed = (Shed) ask(admission, FAR, MOVER);

    assertThat(shed.cause()).isEqualTo(Cause.SIGNER_LOST);
    assertThat(ask(admission, NEAR, MOVER)).isInstanceOf(LinePermit.class);
    now += 60 * SECOND;
    Duration later = ((Shed) ask(admission, FAR, MOVER)).retryAfter();
    assertThat(later).isGreaterThan(shed.retryAfter());
    lost.add(NEAR);
    Duration first = ((Shed) ask(admission, NEAR, LOCAL)).retryAfter();
    assertThat(first).as("its loss has just begun").isLessThan(later);
  }

  /** Fast until now, so by its rate it may have all places. */
  @Test
  void admit_farStationHangs_leavesAFifthOfThePlaces() {
    perSecond.put(NEAR, 1_000.0);
    perSecond.put(FAR, 1_000.0);
    Admission admission = admission();
    admitted(ask(admission, NEAR, LOCAL)).completed();

    int far = 0;
    while (ask(admission, FAR, new RequesterId("r" + far)) instanceof LinePermit) {
      far++;
    }
    int near = 0;
    while (ask(admission, NEAR, new RequesterId("r" + near)) instanceof LinePermit) {
      near++;
    }

    assertThat(far).isBetween(PLACES * 3 / 4, PLACES * 4 / 5 + 1);
    assertThat(near).isBetween(PLACES / 10, PLACES / 5);
    assertThat(admission.occupancy().inFlight()).isLessThanOrEqualTo(PLACES);
  }

  @Test
  void admit_oneStationAlone_hasAllThatALineHas() {
    perSecond.put(NEAR, 1_000.0);
    Admission admission = admission();

    int near = 0;
    while (ask(admission, NEAR, new RequesterId("r" + near)) instanceof LinePermit) {
      near++;
    }

    // All but what is kept for renewals and bulk work.
    assertThat(near).isEqualTo(PLACES - PLACES / 8 - PLACES / 16);
  }

  @Test
  void admit_greedyAtOneStation_isLikeAnybodyAtAnother() {
    perSecond.put(NEAR, 10.0);
    perSecond.put(FAR, 10.0);
    Admission admission = admission();
    admitted(ask(admission, FAR, LOCAL));
    while (ask(admission, FAR, MOVER) instanceof LinePermit) {}
    assertThat(((Shed) ask(admission, FAR, MOVER)).cause()).isEqualTo(Cause.OVER_SHARE);

    assertThat(ask(admission, NEAR, MOVER)).isInstanceOf(LinePermit.class);
  }

  @Test
  void quota_ofARequester_countsAtAllStations() {
    quota = Optional.of(new Quota(2, Duration.ofMinutes(1)));
    Admission admission = admission();
    admitted(ask(admission, NEAR, LOCAL)).completed();
    admitted(ask(admission, FAR, LOCAL)).completed();

    assertThat(((Shed) ask(admission, NEAR, LOCAL)).cause()).isEqualTo(Cause.OVER_QUOTA);
    assertThat(((Shed) ask(admission, FAR, LOCAL)).cause()).isEqualTo(Cause.OVER_QUOTA);
  }

  @Test
  void roomForOrders_severalStations_thatOfTheFullestThatWorks() {
    perSecond.put(NEAR, 1_000.0);
    perSecond.put(FAR, 10.0);
    Admission admission = admission();
    admitted(ask(admission, NEAR, LOCAL)).completed();
    int nearAlone = admission.roomForOrders();
    for (int i = 0; i < 30; i++) {
      LinePermit _ = admission.resume(MOVER, new SigningCost(FAR, 1));
    }

    assertThat(nearAlone).isGreaterThan(50);
    assertThat(admission.roomForOrders()).isLessThan(nearAlone / 4);
    lost.add(FAR);
    assertThat(admission.roomForOrders()).isGreaterThan(nearAlone / 2);
    lost.add(NEAR);
    assertThat(admission.roomForOrders()).isZero();
  }

  @Test
  void occupancy_severalStations_together() {
    perSecond.put(NEAR, 100.0);
    perSecond.put(FAR, 10.0);
    Admission admission = admission();
    LinePermit first = admitted(ask(admission, FAR, MOVER));
    now += SECOND;
    LinePermit second = admitted(ask(admission, NEAR, LOCAL));

    LaneOccupancy lane = interactive(admission);

    assertThat(lane.depth()).isEqualTo(2);
    assertThat(lane.oldestAgeNanos()).isEqualTo(SECOND);
    assertThat(lane.perSecond()).isEqualTo(110);
    assertThat(lane.etaSeconds()).isEqualTo(0.1);
    assertThat(first.position().position()).isZero();
    assertThat(second.position().position()).isZero();
    first.close();
    second.close();
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  @Test
  void stations_moreThanAreKept_shareALine() {
    Admission admission = admission();
    for (int i = 0; i < 3 * PoolLines.POOLS_MAX; i++) {
      admitted(ask(admission, new SigningPool("s" + i), LOCAL)).close();
    }

    assertThat(admission.pools()).isEqualTo(PoolLines.POOLS_MAX + 1);
  }

  @Test
  void stations_idleForLong_areForgottenWhenANewOneComes() {
    Admission admission = admission();
    admitted(ask(admission, FAR, LOCAL)).completed();
    LinePermit held = admitted(ask(admission, NEAR, LOCAL));
    now += 601 * SECOND;

    LinePermit _ = admitted(ask(admission, new SigningPool("near+far"), LOCAL));

    assertThat(admission.pools()).isEqualTo(2);
    held.completed();
  }

  private AdmissionDecision ask(Admission admission, SigningPool pool, RequesterId who) {
    return admission.admit(
        Lane.INTERACTIVE, who, new SigningCost(pool, 1), new Deadline(now + 10 * SECOND));
  }

  private static LinePermit admitted(AdmissionDecision decision) {
    if (decision instanceof LinePermit place) {
      return place;
    }
    throw new AssertionError("shed: " + decision);
  }

  private static LaneOccupancy interactive(Admission admission) {
    return admission.occupancy().lanes().stream()
        .filter(l -> l.lane() == Lane.INTERACTIVE)
        .findFirst()
        .orElseThrow();
  }

  private Admission admission() {
    return new Admission(
        new Admission.Terms(PLACES, quota),
        new Admission.Signer(
            pool -> !lost.contains(pool), pool -> perSecond.getOrDefault(pool, 0.0)),
        () -> now,
        new SplittableRandom(5));
  }
}
