package org.sluiceca.hsm.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.Limiter;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.Sample;

class LaneStateTest {
  private static final SignatureClass P256 = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final long CALL_TIMEOUT = 1_000;

  private final ServiceTimes times = new ServiceTimes();
  private final LaneState<String> lane =
      new LaneState<>(2, LaneShares.EQUAL, Limiter.fixed(1, 0), times);

  @Test
  void offer_queueAtItsBound_refusedAndNothingChanged() {
    offer("a", 100);
    offer("b", 100);

    assertThat(lane.offer("c", P256, SignSchedule.by(100), 0)).isEmpty();
    assertThat(lane.snapshot().queueDepth()).isEqualTo(2);
  }

  @Test
  void take_laterJobWithEarlierDeadline_comesFirst() {
    offer("late", 200);
    Ticket<String> urgent = offer("urgent", 100);

    assertThat(lane.take(0)).isEqualTo(new Take.Run<>(urgent));
  }

  @Test
  void take_equalDeadlines_comeInOrderOfArrival() {
    Ticket<String> first = offer("first", 100);
    offer("second", 100);

    assertThat(lane.take(0)).isEqualTo(new Take.Run<>(first));
  }

  @Test
  void take_deadlinesAcrossTheWrapOfNanoTime_earlierFirst() {
    offer("after the wrap", Long.MIN_VALUE + 10);
    Ticket<String> before = offer("before the wrap", Long.MAX_VALUE - 10);

    assertThat(lane.take(Long.MAX_VALUE - 100)).isEqualTo(new Take.Run<>(before));
  }

  @Test
  void take_windowFull_nothing() {
    offer("a", 100);
    offer("b", 100);
    lane.take(0);

    assertThat(lane.take(0)).isEqualTo(new Take.Nothing<>());
  }

  @Test
  void take_deadlineReached_dropped() {
    Ticket<String> ticket = offer("a", 100);

    assertThat(lane.take(100)).isEqualTo(new Take.Drop<>(ticket));
    assertThat(lane.snapshot().inflight()).isZero();
  }

  @Test
  void take_expectedServiceReachesBeyondDeadline_droppedUnlessTokenIsIdle() {
    LaneState<String> wide = new LaneState<>(4, LaneShares.EQUAL, Limiter.fixed(2, 0), times);
    times.learn(P256, 60);
    Ticket<String> probe = wide.offer("probe", P256, SignSchedule.by(50), 0).orElseThrow();
    Ticket<String> hopeless = wide.offer("hopeless", P256, SignSchedule.by(60), 0).orElseThrow();
    Ticket<String> feasible = wide.offer("feasible", P256, SignSchedule.by(61), 0).orElseThrow();

    assertThat(wide.take(0)).isEqualTo(new Take.Run<>(probe));
    assertThat(wide.take(0)).isEqualTo(new Take.Drop<>(hopeless));
    assertThat(wide.take(0)).isEqualTo(new Take.Run<>(feasible));
  }

  @Test
  void take_tooLateForWhoeverWaits_displacedBehindTheBulk() {
    SignSchedule awaited = new SignSchedule(Lane.INTERACTIVE, "a", 100_000_050, 10_000_000_000L);
    SignSchedule bulk = new SignSchedule(Lane.BULK, "b", 10_000_000_000L, 10_000_000_000L);
    Ticket<String> late = lane.offer("late", P256, awaited, 0).orElseThrow();
    Ticket<String> other = lane.offer("other", P256, bulk, 0).orElseThrow();

    assertThat(lane.take(50)).isEqualTo(new Take.Run<>(other));
    assertThat(late.lane()).isEqualTo(Lane.BULK);
    assertThat(lane.snapshot().displaced()).isEqualTo(1);
    lane.finish(other, 1, 60);
    assertThat(lane.take(60)).isEqualTo(new Take.Run<>(late));
  }

  @Test
  void isHung_halfOfTheWindow_onlyCallsBeyondTheirTime() {
    LaneState<String> wide = new LaneState<>(9, LaneShares.EQUAL, Limiter.fixed(4, 0), times);
    for (int i = 0; i < 4; i++) {
      assertThat(wide.offer("a", P256, SignSchedule.by(1_000_000), i)).isPresent();
      assertThat(wide.take(i * 10L)).isInstanceOf(Take.Run.class);
    }

    assertThat(wide.isHung(CALL_TIMEOUT, 1_009)).isFalse();
    assertThat(wide.isHung(CALL_TIMEOUT, 1_010)).isTrue();
  }

  @Test
  void probe_callsStillHang_oneAtATimeUntilOneReturns() {
    LaneState<String> wide = new LaneState<>(9, LaneShares.EQUAL, Limiter.fixed(4, 0), times);
    Ticket<String> hung = wide.offer("hung", P256, SignSchedule.by(100_000), 0).orElseThrow();
    wide.take(0);
    wide.await(hung, CALL_TIMEOUT, 1_000);
    wide.probe();
    Ticket<String> probe = wide.offer("probe", P256, SignSchedule.by(100_000), 1_000).orElseThrow();
    assertThat(wide.offer("next", P256, SignSchedule.by(100_000), 1_000)).isPresent();

    assertThat(wide.take(1_000)).isEqualTo(new Take.Run<>(probe));
    assertThat(wide.take(1_000)).isEqualTo(new Take.Nothing<>());
    assertThat(wide.isHung(CALL_TIMEOUT, 1_999)).isFalse();
    assertThat(wide.isHung(CALL_TIMEOUT, 2_000)).isTrue();
    wide.finish(probe, 10, 1_500);
    assertThat(wide.take(1_500)).isInstanceOf(Take.Run.class);
  }

  @Test
  void finish_probeOfAWindowFullOfHungCalls_theirPermitsComeBackOnce() {
    Ticket<String> hung = offer("hung", 100_000);
    lane.take(0);
    lane.await(hung, CALL_TIMEOUT, 1_000);
    lane.probe();
    Ticket<String> probe = offer("probe", 100_000);
    assertThat(lane.take(1_000)).isEqualTo(new Take.Run<>(probe));
    lane.finish(probe, 10, 1_010);

    assertThat(lane.isHung(CALL_TIMEOUT, 50_000)).isFalse();
    assertThat(lane.snapshot().inflight()).isZero();
    assertThat(lane.snapshot().zombies()).isEqualTo(1);
    assertThat(lane.finish(hung, 5_000, 6_000)).isFalse();
    assertThat(lane.snapshot().inflight()).isZero();
    assertThat(lane.snapshot().zombies()).isZero();
  }

  @Test
  void take_inTimeForWhoeverWaits_notDisplaced() {
    SignSchedule awaited = new SignSchedule(Lane.INTERACTIVE, "a", 100_000_050, 10_000_000_000L);
    Ticket<String> late = lane.offer("late", P256, awaited, 0).orElseThrow();

    assertThat(lane.take(49)).isEqualTo(new Take.Run<>(late));
    assertThat(late.lane()).isEqualTo(Lane.INTERACTIVE);
  }

  @Test
  void await_callOlderThanCallTimeout_zombieKeepsItsPermit() {
    Ticket<String> hung = offer("hung", 10_000);
    offer("next", 10_000);
    lane.take(5);

    assertThat(lane.await(hung, CALL_TIMEOUT, 1_004)).isEqualTo(new Wait.Until(1_005));
    assertThat(lane.await(hung, CALL_TIMEOUT, 1_005)).isEqualTo(new Wait.TimedOut(1_000));
    assertThat(lane.snapshot().zombies()).isEqualTo(1);
    assertThat(lane.take(1_005)).isEqualTo(new Take.Nothing<>());
  }

  @Test
  void finish_zombie_permitComesBackAndNothingIsLearnt() {
    Ticket<String> hung = offer("hung", 100);
    lane.take(0);
    lane.await(hung, CALL_TIMEOUT, 100);

    assertThat(lane.finish(hung, 500, 500)).isFalse();
    assertThat(lane.snapshot().zombies()).isZero();
    assertThat(lane.snapshot().inflight()).isZero();
    assertThat(times.meanNanos()).isZero();
  }

  @Test
  void finish_zombie_limiterHearsHowLongItTook() {
    Limiter limiter = Limiter.fixed(1, 0);
    LaneState<String> heard = new LaneState<>(2, LaneShares.EQUAL, limiter, times);
    Ticket<String> hung = heard.offer("hung", P256, SignSchedule.by(100), 0).orElseThrow();
    heard.take(0);
    heard.await(hung, CALL_TIMEOUT, 100);
    heard.finish(hung, 500, 500);

    assertThat(limiter.report("a", 0, 500).sample().completions()).isEqualTo(1);
  }

  @Test
  void report_calibratedClass_delayIsWhatTheTokenTookLonger() {
    ServiceTimes calibrated = new ServiceTimes(Map.of(P256, 2e-6));
    LaneState<String> steered =
        new LaneState<>(9, LaneShares.EQUAL, Limiter.fixed(1, 0), calibrated);
    Ticket<String> job = steered.offer("job", P256, SignSchedule.by(100_000), 0).orElseThrow();
    steered.take(0);
    steered.finish(job, 5_000, 5_000);

    Sample seen = steered.report("a", 8, 5_000).sample();
    assertThat(seen.service()).isCloseTo(2e-6, within(1e-12));
    assertThat(seen.delay()).isCloseTo(3e-6, within(1e-12));
  }

  @Test
  void report_moreReadyThanSessions_asksForNoMoreThanItCanUse() {
    LaneState<String> busy = new LaneState<>(9, LaneShares.EQUAL, Limiter.fixed(1, 0), times);
    for (int i = 0; i < 6; i++) {
      assertThat(busy.offer("job", P256, SignSchedule.by(100), 0)).isPresent();
    }
    assertThat(busy.take(0)).isInstanceOf(Take.Run.class);

    assertThat(busy.report("a", 8, 1).demand()).isEqualTo(6);
    assertThat(busy.report("a", 4, 1).demand()).isEqualTo(4);
    assertThat(busy.report("a", 1, 1).demand()).isEqualTo(1);
  }

  @Test
  void startsInNanos_nowLaterOrNeverByTimeAlone() {
    Limiter limiter = new Limiter(Limits.of(1, 0, 2), new Limiter.Expected(1e-6, 0, 0), 0);
    LaneState<String> slow = new LaneState<>(9, LaneShares.EQUAL, limiter, times);
    assertThat(slow.startsInNanos(0)).isEmpty();

    Ticket<String> first = slow.offer("first", P256, SignSchedule.by(1_000_000), 0).orElseThrow();
    assertThat(slow.startsInNanos(0)).hasValue(0);
    assertThat(slow.offer("second", P256, SignSchedule.by(1_000_000), 0)).isPresent();
    slow.take(0);
    assertThat(slow.startsInNanos(10)).isEmpty();

    slow.finish(first, 1_000, 1_000);
    assertThat(slow.startsInNanos(1_000)).hasValue(1_000);
    assertThat(slow.take(1_999)).isEqualTo(new Take.Nothing<>());
    assertThat(slow.startsInNanos(2_000)).hasValue(0);
  }

  @Test
  void await_deadlineInQueue_expiredAndGone() {
    Ticket<String> ticket = offer("a", 100);

    assertThat(lane.await(ticket, CALL_TIMEOUT, 99)).isEqualTo(new Wait.Until(100));
    assertThat(lane.await(ticket, CALL_TIMEOUT, 100)).isEqualTo(new Wait.Expired());
    assertThat(lane.take(0)).isEqualTo(new Take.Nothing<>());
  }

  @Test
  void giveBack_firstAttempt_keepsItsPlaceAheadOfLaterJobs() {
    Ticket<String> first = offer("first", 100);
    offer("second", 100);
    lane.take(0);

    assertThat(lane.giveBack(first, true, 0)).isTrue();
    assertThat(lane.take(0)).isEqualTo(new Take.Run<>(first));
  }

  @Test
  void giveBack_secondAttempt_refused() {
    Ticket<String> ticket = offer("a", 100);
    lane.take(0);
    lane.giveBack(ticket, true, 0);
    lane.take(0);

    assertThat(lane.giveBack(ticket, true, 0)).isFalse();
    assertThat(lane.fail(ticket, false, 0)).isTrue();
    assertThat(lane.snapshot().inflight()).isZero();
  }

  @Test
  void giveBack_untriedAnyNumberOfTimes_accepted() {
    Ticket<String> ticket = offer("a", 100);
    for (int i = 0; i < 5; i++) {
      lane.take(0);
      assertThat(lane.giveBack(ticket, false, 0)).isTrue();
    }
  }

  @Test
  void fail_twice_isABug() {
    Ticket<String> ticket = offer("a", 100);
    lane.take(0);
    lane.fail(ticket, false, 0);

    assertThatThrownBy(() -> lane.fail(ticket, false, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void drain_jobsInTheToken_stay() {
    offer("running", 100);
    lane.take(0);
    Ticket<String> queued = offer("queued", 100);

    assertThat(lane.drain()).isEqualTo(List.of(queued));
    assertThat(lane.snapshot().inflight()).isEqualTo(1);
  }

  @Test
  void predictedDrain_threeJobsOfTenOneAtATime_thirty() {
    times.learn(P256, 10);
    offer("running", 100);
    lane.take(0);
    offer("a", 100);
    offer("b", 100);

    assertThat(lane.predictedDrainNanos()).isEqualTo(30);
  }

  private Ticket<String> offer(String job, long deadlineNanos) {
    return lane.offer(job, P256, renewal(deadlineNanos), 0).orElseThrow();
  }

  /** In order of deadlines. */
  private static SignSchedule renewal(long deadlineNanos) {
    return new SignSchedule(Lane.RENEWAL, "", deadlineNanos, deadlineNanos);
  }
}
