package org.sluiceca.hsm.lane;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.Limiter;

/**
 * Random histories of the lane against a plain model that only counts what was reported to it.
 * Replay: {@code -Dseed=N}.
 */
class LaneStatePropertiesTest {
  private static final int HISTORIES = 300;
  private static final int STEPS = 400;
  private static final long CALL_TIMEOUT = 50;
  private static final Lane[] LANES = Lane.values();
  private static final SignatureClass CLASS = new SignatureClass(Mechanism.ED25519, 255);

  /** What the oracle knows of one job, from the lane's answers alone. */
  private static final class Known {
    final Ticket<Integer> ticket;
    boolean isQueued = true;
    boolean isInToken;
    int answers;

    Known(Ticket<Integer> ticket) {
      this.ticket = ticket;
    }
  }

  @Test
  void anyHistory_boundsPermitsDeadlinesAndAnswers_hold() {
    long seed = Long.getLong("seed", System.nanoTime());
    for (int i = 0; i < HISTORIES; i++) {
      try {
        new History(new Random(seed + i)).play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("replay with -Dseed=" + (seed + i) + ": " + e.getMessage(), e);
      }
    }
  }

  private static final class History {
    private final Random random;
    private final int capacity;
    private final int window;
    private final LaneState<Integer> lane;
    private final List<Known> all = new ArrayList<>();
    private long now;

    History(Random random) {
      this.random = random;
      this.capacity = 1 + random.nextInt(8);
      this.window = 1 + random.nextInt(4);
      this.lane =
          new LaneState<>(capacity, LaneShares.EQUAL, Limiter.fixed(window, 0), new ServiceTimes());
      // Near the wrap of nanoTime in half of the histories.
      this.now = random.nextBoolean() ? Long.MAX_VALUE - 500 : random.nextInt(1000);
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        now += random.nextInt(5);
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> offer();
          case 3, 4, 5 -> take();
          case 6, 7 -> endOne();
          case 8 -> awaitOne();
          default -> {
            if (random.nextInt(20) == 0) {
              lane.drain().forEach(ticket -> answered(known(ticket)));
            }
          }
        }
        checkBounds();
      }
      finishAll();
    }

    private void offer() {
      long deadline = now + random.nextInt(100) - 5;
      Lane among = LANES[random.nextInt(LANES.length)];
      SignSchedule schedule =
          new SignSchedule(among, "flow-" + random.nextInt(3), deadline, deadline);
      int room =
          among == Lane.INTERACTIVE || among == Lane.BULK ? capacity - capacity / 8 : capacity;
      var offered = lane.offer(all.size(), CLASS, schedule, now);
      check(offered.isPresent() == (queued().size() < room), "refused iff its lane is full");
      offered.ifPresent(ticket -> all.add(new Known(ticket)));
    }

    private void take() {
      List<Known> queue = queued();
      switch (lane.take(now)) {
        case Take.Run<Integer>(Ticket<Integer> ticket) -> {
          Known job = known(ticket);
          checkFirst(queue, job);
          check(ticket.deadlineNanos() - now > 0, "executed after its deadline");
          job.isQueued = false;
          job.isInToken = true;
        }
        case Take.Drop<Integer>(Ticket<Integer> ticket) -> {
          checkFirst(queue, known(ticket));
          answered(known(ticket));
        }
        case Take.Nothing<Integer>() ->
            check(queue.isEmpty() || inToken().size() >= window, "idle although it has work");
      }
    }

    private void endOne() {
      List<Known> running = inToken();
      if (running.isEmpty()) {
        return;
      }
      Known job = running.get(random.nextInt(running.size()));
      boolean isAwaited;
      switch (random.nextInt(3)) {
        case 0 -> isAwaited = lane.finish(job.ticket, 1 + random.nextInt(30), now);
        case 1 -> isAwaited = lane.fail(job.ticket, random.nextBoolean(), now);
        default -> {
          if (lane.giveBack(job.ticket, random.nextBoolean(), now)) {
            check(job.answers == 0, "queued again although answered");
            job.isInToken = false;
            job.isQueued = true;
            return;
          }
          isAwaited = lane.fail(job.ticket, random.nextBoolean(), now);
        }
      }
      job.isInToken = false;
      if (isAwaited) {
        answered(job);
      }
    }

    private void awaitOne() {
      if (all.isEmpty()) {
        return;
      }
      Known job = all.get(random.nextInt(all.size()));
      switch (lane.await(job.ticket, CALL_TIMEOUT, now)) {
        case Wait.Until(long nanos) -> check(nanos - now > 0, "asked to wait for the past");
        case Wait.Answered() -> check(job.answers == 1, "called answered but is not");
        case Wait.Expired() -> {
          check(job.isQueued && now - job.ticket.deadlineNanos() >= 0, "expired too early");
          answered(job);
        }
        case Wait.TimedOut(long inTokenNanos) -> {
          check(job.isInToken && inTokenNanos >= 0, "timed out outside the token");
          // Its permit stays taken: isInToken remains.
          job.answers++;
        }
      }
    }

    private void finishAll() {
      now += 10_000;
      for (Known job : inToken()) {
        job.isInToken = false;
        if (lane.fail(job.ticket, random.nextBoolean(), now)) {
          answered(job);
        }
      }
      lane.drain().forEach(ticket -> answered(known(ticket)));
      checkBounds();
      check(lane.snapshot().inflight() == 0, "a permit was lost");
      for (Known job : all) {
        check(job.answers == 1, "job answered " + job.answers + " times");
      }
    }

    private void checkBounds() {
      LaneSnapshot seen = lane.snapshot();
      check(seen.queueDepth() == queued().size(), "queue depth");
      check(seen.queueDepth() <= capacity, "queue above its bound");
      check(seen.inflight() == inToken().size(), "permits");
      check(seen.inflight() <= window, "in flight above the window");
      check(seen.zombies() == inToken().stream().filter(job -> job.answers > 0).count(), "zombies");
    }

    /** Of its flow it is the first: no history here is long enough for a queue to stand. */
    private void checkFirst(List<Known> queue, Known taken) {
      Lane among = taken.ticket.lane();
      Comparator<Known> arrival = Comparator.comparingInt(job -> job.ticket.job);
      Comparator<Known> order =
          among == Lane.STATUS || among == Lane.RENEWAL
              ? Comparator.<Known>comparingLong(job -> job.ticket.deadlineNanos() - now)
                  .thenComparing(arrival)
              : arrival;
      List<Known> flow =
          queue.stream()
              .filter(job -> job.ticket.lane() == among)
              .filter(job -> job.ticket.schedule().flow().equals(taken.ticket.schedule().flow()))
              .sorted(order)
              .toList();
      check(flow.getFirst() == taken, "not the first of its flow");
    }

    private void answered(Known job) {
      job.isQueued = false;
      job.answers++;
    }

    private Known known(Ticket<Integer> ticket) {
      return all.get(ticket.job);
    }

    private List<Known> queued() {
      return all.stream().filter(job -> job.isQueued).toList();
    }

    private List<Known> inToken() {
      return all.stream().filter(job -> job.isInToken).toList();
    }

    private static void check(boolean holds, String otherwise) {
      if (!holds) {
        throw new AssertionError(otherwise);
      }
    }
  }
}
