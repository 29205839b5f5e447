package org.sluiceca.hsm.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.SignSchedule;

class FairQueueTest {
  private static final long MS = 1_000_000;
  private static final long FAR = 3_600_000 * MS;
  private static final int ROUNDS = 20_000;

  private static final LaneShares SHARES = new LaneShares(50, 35, 15, 0.15);

  private final FairQueue<Place> queue = new FairQueue<>(1_000, SHARES);
  private long sequence;
  private long now;

  /** A place with nothing behind it. */
  private static final class Place extends Waiting {
    Place(SignSchedule schedule, long costNanos, long sequence, long now) {
      super(schedule, costNanos, costNanos, sequence, now);
    }
  }

  @Test
  void first_allLanesBacklogged_shareByWeightInServiceTime() {
    Map<Lane, Long> served = new EnumMap<>(Lane.class);
    for (Lane lane : new Lane[] {Lane.RENEWAL, Lane.INTERACTIVE, Lane.BULK}) {
      add(lane, "a", cost(lane));
    }
    for (int i = 0; i < ROUNDS; i++) {
      Place job = serve();
      served.merge(job.lane(), job.costNanos(), Long::sum);
      add(job.lane(), "a", cost(job.lane()));
    }

    assertThat(share(served, Lane.RENEWAL)).isCloseTo(0.50, within(0.01));
    assertThat(share(served, Lane.INTERACTIVE)).isCloseTo(0.35, within(0.01));
    assertThat(share(served, Lane.BULK)).isCloseTo(0.15, within(0.01));
  }

  @Test
  void first_laneAlone_hasAll() {
    add(Lane.BULK, "a", MS);
    add(Lane.BULK, "a", MS);

    assertThat(serve().lane()).isEqualTo(Lane.BULK);
    assertThat(serve().lane()).isEqualTo(Lane.BULK);
    assertThat(queue.first(now)).isEmpty();
  }

  @Test
  void first_flowsOfOneAndTwenty_shareAlike() {
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      add(Lane.INTERACTIVE, "heavy", MS);
    }
    for (int i = 0; i < 20; i++) {
      add(Lane.INTERACTIVE, "light", MS);
    }
    for (int i = 0; i < 41; i++) {
      served.merge(serve().schedule().flow(), 1, Integer::sum);
    }

    assertThat(served).containsEntry("light", 20);
  }

  @Test
  void first_flowsOfDearAndCheapWork_shareTheTimeNotTheNumber() {
    Map<String, Long> served = new HashMap<>();
    add(Lane.INTERACTIVE, "rsa", 7 * MS);
    add(Lane.INTERACTIVE, "ec", MS);
    for (int i = 0; i < ROUNDS; i++) {
      Place job = serve();
      served.merge(job.schedule().flow(), job.costNanos(), Long::sum);
      add(Lane.INTERACTIVE, job.schedule().flow(), job.costNanos());
    }

    double rsa = served.getOrDefault("rsa", 0L);
    double ec = served.getOrDefault("ec", 0L);
    assertThat(rsa / ec).isCloseTo(1, within(0.01));
  }

  @Test
  void first_flowThatWasAway_getsItsShareAndNoMore() {
    for (int i = 0; i < 500; i++) {
      add(Lane.INTERACTIVE, "steady", MS);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(serve().schedule().flow()).isEqualTo("steady");
    }
    for (int i = 0; i < 100; i++) {
      add(Lane.INTERACTIVE, "back", MS);
    }
    int back = 0;
    for (int i = 0; i < 50; i++) {
      back += serve().schedule().flow().equals("back") ? 1 : 0;
    }

    assertThat(back).isBetween(24, 26);
  }

  /** A client with one request at a time: its lane is empty before each. */
  @Test
  void first_laneThatWasEmpty_getsItsShareAndNoMore() {
    for (int i = 0; i < 500; i++) {
      add(Lane.BULK, "a", MS);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(serve().lane()).isEqualTo(Lane.BULK);
    }
    add(Lane.INTERACTIVE, "b", MS);
    int bulk = 0;
    for (int i = 0; i < 100; i++) {
      if (serve().lane() == Lane.BULK) {
        bulk++;
      } else {
        add(Lane.INTERACTIVE, "b", MS);
      }
    }

    // 35 : 15
    assertThat(bulk).isBetween(29, 31);
  }

  @Test
  void first_statusUnderBacklog_nextAtOnce() {
    for (int i = 0; i < 500; i++) {
      add(Lane.RENEWAL, "a", MS);
    }
    serve();
    add(Lane.STATUS, "crl", MS);

    assertThat(serve().lane()).isEqualTo(Lane.STATUS);
  }

  @Test
  void first_floodOfStatus_heldToItsPart() {
    int status = 0;
    add(Lane.STATUS, "ocsp", MS);
    add(Lane.BULK, "a", MS);
    for (int i = 0; i < ROUNDS; i++) {
      Place job = serve();
      status += job.lane() == Lane.STATUS ? 1 : 0;
      add(job.lane(), job.schedule().flow(), MS);
    }

    assertThat(status / (double) ROUNDS).isCloseTo(0.15, within(0.005));
  }

  /**
   * OCSP and CRLs are flows of one lane: a storm of the one costs the other its next turn at most.
   */
  @Test
  void first_stormOfOcspBesideABacklog_crlWithinOneTurnOfStatus() {
    for (int i = 0; i < 64; i++) {
      add(Lane.STATUS, "sluice.ocsp", MS);
      add(Lane.INTERACTIVE, "a", MS);
    }
    for (int i = 0; i < 1_000; i++) {
      Place job = serve();
      add(job.lane(), job.schedule().flow(), MS);
    }

    add(Lane.STATUS, "sluice.crl", MS);
    int waited = 0;
    while (!serve().schedule().flow().equals("sluice.crl")) {
      add(Lane.INTERACTIVE, "a", MS);
      waited++;
    }

    // 1 / 15 %.
    assertThat(waited).isLessThanOrEqualTo(7);
  }

  @Test
  void first_floodOfStatusAlone_hasAll() {
    for (int i = 0; i < 100; i++) {
      add(Lane.STATUS, "ocsp", MS);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(serve().lane()).isEqualTo(Lane.STATUS);
    }
  }

  @Test
  void first_deadlines_orderTheRenewalsOfAFlow() {
    add(new SignSchedule(Lane.RENEWAL, "a", FAR, FAR + 1), MS);
    Place urgent = add(new SignSchedule(Lane.RENEWAL, "a", FAR, FAR), MS);

    assertThat(serve()).isSameAs(urgent);
  }

  @Test
  void first_queueThatStandsBeyondPatience_newestFirst() {
    Place oldest = add(new SignSchedule(Lane.INTERACTIVE, "a", now + 1_000 * MS, FAR), MS);
    add(new SignSchedule(Lane.INTERACTIVE, "a", now + 1_000 * MS, FAR), MS);
    Place newest = add(new SignSchedule(Lane.INTERACTIVE, "a", now + 1_000 * MS, FAR), MS);
    now += 501 * MS;

    assertThat(queue.first(now)).as("late, but only just").contains(oldest);
    now += 99 * MS;
    assertThat(queue.first(now)).contains(oldest);
    now += MS;
    assertThat(queue.first(now)).contains(newest);
  }

  @Test
  void first_queueThatAllGetThroughInTime_oldestFirst() {
    Place oldest = add(new SignSchedule(Lane.INTERACTIVE, "a", now + 10_000 * MS, FAR), MS);
    add(new SignSchedule(Lane.INTERACTIVE, "a", now + 10_000 * MS, FAR), MS);
    for (int i = 0; i < 48; i++) {
      now += 100 * MS;
      assertThat(queue.first(now)).contains(oldest);
    }
  }

  @Test
  void hasRoom_fullOfOtherWork_statusAndRenewalsStillIn() {
    FairQueue<Place> small = new FairQueue<>(8, SHARES);
    for (int i = 0; i < 7; i++) {
      assertThat(small.hasRoom(Lane.BULK)).isTrue();
      small.add(place(new SignSchedule(Lane.BULK, "a", FAR, FAR), MS));
    }

    assertThat(small.hasRoom(Lane.BULK)).isFalse();
    assertThat(small.hasRoom(Lane.INTERACTIVE)).isFalse();
    assertThat(small.hasRoom(Lane.RENEWAL)).isTrue();
    small.add(place(new SignSchedule(Lane.STATUS, "a", FAR, FAR), MS));
    assertThat(small.hasRoom(Lane.STATUS)).isFalse();
  }

  @Test
  void gauge_addedAndRemoved_whatWaits() {
    Place first = add(Lane.BULK, "a", 5 * MS);
    now += 10 * MS;
    add(Lane.BULK, "b", 7 * MS);

    assertThat(queue.gauge(Lane.BULK).depth()).isEqualTo(2);
    assertThat(queue.gauge(Lane.BULK).workNanos()).isEqualTo(12 * MS);
    assertThat(queue.gauge(Lane.BULK).oldestAgeNanos(now)).isEqualTo(10 * MS);
    queue.remove(first);
    assertThat(queue.gauge(Lane.BULK).oldestAgeNanos(now)).isZero();
    assertThat(queue.drain()).hasSize(1);
    assertThat(queue.size()).isZero();
    assertThat(queue.gauge(Lane.BULK).workNanos()).isZero();
  }

  @Test
  void remove_twice_isABug() {
    Place job = add(Lane.BULK, "a", MS);
    add(Lane.BULK, "a", MS);
    queue.remove(job);

    assertThatIllegalStateException().isThrownBy(() -> queue.remove(job));
  }

  private Place serve() {
    Place job = queue.first(now).orElseThrow();
    queue.served(job);
    now += job.costNanos();
    return job;
  }

  private Place add(Lane lane, String flow, long costNanos) {
    return add(new SignSchedule(lane, flow, now + FAR, now + FAR), costNanos);
  }

  private Place add(SignSchedule schedule, long costNanos) {
    Place job = place(schedule, costNanos);
    queue.add(job);
    return job;
  }

  private Place place(SignSchedule schedule, long costNanos) {
    return new Place(schedule, costNanos, sequence++, now);
  }

  /** Bulk of RSA next to interactive EC: shares are of time. */
  private static long cost(Lane lane) {
    return lane == Lane.BULK ? 8 * MS : MS;
  }

  private static double share(Map<Lane, Long> served, Lane lane) {
    double all = served.values().stream().mapToLong(Long::longValue).sum();
    return served.getOrDefault(lane, 0L) / all;
  }
}
