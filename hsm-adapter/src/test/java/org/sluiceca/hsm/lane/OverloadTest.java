package org.sluiceca.hsm.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.Limiter;

/**
 * The lane's machine under more work than the token does, in virtual time: eight jobs of 40 ms at
 * once, 200 a second. A seed is printed by a failure through the values that it compares.
 */
class OverloadTest {
  private static final SignatureClass CLASS = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final long MS = 1_000_000;
  private static final long SERVICE = 40 * MS;
  private static final int WINDOW = 8;
  private static final long LENGTH = 60_000 * MS;
  private static final long CLAIM = 13_000 * MS;

  /** What came of a run: a job counts once it is signed. */
  private record Run(List<Long> inTime, int late, int offered, int refused) {
    double shareInTime() {
      return inTime.size() / (double) (inTime.size() + late);
    }

    long millis(double quantile) {
      long[] sorted = inTime.stream().mapToLong(Long::longValue).sorted().toArray();
      return sorted[(int) (quantile * (sorted.length - 1))] / MS;
    }

    @Override
    public String toString() {
      return "in time %d (p50 %d ms, p99 %d ms), late %d, refused %d of %d"
          .formatted(inTime.size(), millis(0.5), millis(0.99), late, refused, offered);
    }
  }

  private record Ending(long at, Ticket<Integer> ticket) {}

  @Test
  void overload_patienceShorterThanTheQueue_mostInTimeByServingTheNewest() {
    Run run = run(1.2, 1_500 * MS);

    assertThat(run.shareInTime()).as(run.toString()).isGreaterThan(0.80);
    assertThat(run.millis(0.5)).as(run.toString()).isLessThan(200);
  }

  @Test
  void overload_patienceLongerThanTheQueue_allInTimeInTheirOrder() {
    Run run = run(1.2, 10_000 * MS);

    assertThat(run.late()).as(run.toString()).isZero();
    assertThat(run.millis(0.99)).as(run.toString()).isLessThan(2_300);
  }

  @Test
  void overload_signatures_asManyAsTheTokenMakes() {
    for (double load : new double[] {1.2, 3, 10}) {
      Run run = run(load, 1_500 * MS);
      double rate = (run.inTime().size() + run.late()) / (LENGTH / 1e9);

      assertThat(rate).as(load + ": " + run).isGreaterThan(0.97 * 200);
    }
  }

  /** Interactive requests come by chance, at most two seconds' worth on the line. */
  private static Run run(double load, long patience) {
    SplittableRandom random = new SplittableRandom(7);
    LaneState<Integer> lane =
        new LaneState<>(1_024, LaneShares.EQUAL, Limiter.fixed(WINDOW, 0), new ServiceTimes());
    PriorityQueue<Ending> inToken = new PriorityQueue<>((a, b) -> Long.compare(a.at(), b.at()));
    List<Long> inTime = new ArrayList<>();
    int[] count = new int[3];
    long now = 0;
    long nextArrival = 0;
    while (now < LENGTH) {
      if (inToken.isEmpty() || nextArrival < inToken.peek().at()) {
        now = nextArrival;
        nextArrival += (long) (-Math.log(1 - random.nextDouble()) * 5 * MS / load);
        count[1]++;
        SignSchedule schedule =
            new SignSchedule(Lane.INTERACTIVE, "f" + count[1] % 3, now + patience, now + CLAIM);
        boolean isFull = lane.snapshot().queueDepth() + inToken.size() >= 400;
        if (isFull || lane.offer(count[1], CLASS, schedule, now).isEmpty()) {
          count[2]++;
        }
      } else {
        Ending end = inToken.remove();
        now = end.at();
        lane.finish(end.ticket(), SERVICE, now);
        if (now <= end.ticket().schedule().answerByNanos()) {
          inTime.add(now - end.ticket().enqueuedNanos());
        } else {
          count[0]++;
        }
      }
      start(lane, inToken, now);
    }
    return new Run(inTime, count[0], count[1], count[2]);
  }

  private static void start(LaneState<Integer> lane, PriorityQueue<Ending> inToken, long now) {
    while (lane.take(now) instanceof Take.Run<Integer>(Ticket<Integer> ticket)) {
      inToken.add(new Ending(now + SERVICE, ticket));
    }
  }
}
