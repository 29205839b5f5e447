package org.sluiceca.hsm.limit.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.lease.LeaseStore.Answer;
import org.sluiceca.hsm.limit.lease.LeaseStore.Held;
import org.sluiceca.hsm.limit.lease.LeaseStore.Leadership;
import org.sluiceca.hsm.limit.lease.LeaseStore.Reported;
import org.sluiceca.hsm.limit.lease.LeaseStore.Roll;

/** What every {@link LeaseStore} must do. Each test starts with an empty store. */
public abstract class LeaseStoreContract {

  private static final String HSM = "token one";
  private static final String OTHER_HSM = "token two";
  private static final Duration LEASE = LeaseController.LEASE;

  /** For the clocks of a store and of this process, whose rates differ. */
  private static final Duration DRIFT = Duration.ofMillis(10);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int ASKERS = 8;
  private static final Sample SAMPLE = new Sample(7, 0.5, -0.25, 1.5, 0.125, 3, 9, 1.0625);

  /**
   * The store as a node sees it.
   *
   * @param clockSkew what the node's own clock is ahead of the store's
   */
  protected abstract LeaseStore store(Duration clockSkew);

  /** Lets time pass as the store sees it; what is there grows older. */
  protected abstract void pass(Duration time);

  /** Returns how long before its end a lease must still be there: more than a test takes. */
  protected Duration slack() {
    return Duration.ofSeconds(2);
  }

  /** Returns how many reports and grants are kept of a token. */
  protected abstract int rows(String hsm);

  private LeaseStore store() {
    return store(Duration.ZERO);
  }

  @Test
  void exchange_nobodyLeads_leads() {
    assertThat(exchange("a").leadership()).contains(new Leadership(HSM, "a", 1));
  }

  @Test
  void exchange_anotherLeads_doesNot() {
    exchange("a");
    pass(LEASE.minus(slack()));

    assertThat(exchange("b").leadership()).isEmpty();
  }

  @Test
  void exchange_leader_goesOnInItsEpoch() {
    exchange("a");
    for (int i = 0; i < 5; i++) {
      pass(LEASE.minus(slack()));
      assertThat(exchange("a", 1).leadership()).contains(new Leadership(HSM, "a", 1));
      assertThat(exchange("b").leadership()).isEmpty();
    }
  }

  @Test
  void exchange_leadersLeaseIsOver_anotherLeadsInTheNextEpoch() {
    exchange("a");
    pass(LEASE);

    assertThat(exchange("b").leadership()).contains(new Leadership(HSM, "b", 2));
    assertThat(exchange("a", 1).leadership()).isEmpty();
  }

  @Test
  void exchange_lateLeaderWhomNobodyFollowed_goesOn() {
    exchange("a");
    pass(LEASE.multipliedBy(2));

    assertThat(exchange("a", 1).leadership()).contains(new Leadership(HSM, "a", 1));
  }

  @Test
  void exchange_leaderThatForgot_leadsInTheNextEpoch() {
    exchange("a");

    assertThat(exchange("a").leadership()).contains(new Leadership(HSM, "a", 2));
  }

  @Test
  void exchange_grantsOfAnEpochTheStoreHasLost_leadsAboveIt() {
    store().exchange(HSM, report("b", (41L << Integer.SIZE) + 5), OptionalInt.empty());
    pass(LEASE);

    assertThat(exchange("a").leadership().orElseThrow().epoch()).isGreaterThan(41);
  }

  @Test
  void exchange_manyAtOnce_oneLeads() throws Exception {
    for (int round = 1; round <= 5; round++) {
      List<Callable<Answer>> askers = new ArrayList<>();
      for (int i = 0; i < ASKERS; i++) {
        String node = "node-" + round + "-" + i;
        askers.add(() -> exchange(node));
      }
      long leaders = together(askers).stream().filter(a -> a.leadership().isPresent()).count();

      assertThat(leaders).isEqualTo(1);
      pass(LEASE);
    }
  }

  @Test
  void exchange_nodeWhoseClockIsAhead_deposesNobody() {
    exchange("a");

    Answer answer = store(HOUR).exchange(HSM, report("b", 0), OptionalInt.empty());

    assertThat(answer.leadership()).isEmpty();
  }

  @Test
  void exchange_nodeWhoseClockIsBehind_leadsWhenTheLeaseIsOver() {
    exchange("a");
    pass(LEASE);

    Answer answer = store(HOUR.negated()).exchange(HSM, report("b", 0), OptionalInt.empty());

    assertThat(answer.leadership()).isPresent();
  }

  @Test
  void roll_reportsAsTheyWereTold_newestOnly() {
    NodeReport last = new NodeReport("a", 12.5, 3.25, 0.0625, SAMPLE, 77);
    exchange("b");
    exchange("a");
    store().exchange(HSM, last, OptionalInt.empty());

    Roll roll = store().roll(HSM);

    assertThat(roll.living())
        .extracting(Reported::report)
        .containsExactlyInAnyOrder(last, report("b", 0));
    assertThat(roll.living()).allMatch(r -> !r.at().isAfter(roll.at()));
  }

  @Test
  void roll_reportedAgain_isTold() {
    exchange("a");
    Instant first = store().roll(HSM).living().getFirst().at();
    assertThat(store().roll(HSM).living().getFirst().at()).isEqualTo(first);
    pass(Duration.ofSeconds(1));
    exchange("a");

    assertThat(store().roll(HSM).living().getFirst().at()).isAfter(first);
  }

  @Test
  void roll_silentNode_isNotAmongTheLiving() {
    exchange("a");
    exchange("b");
    pass(LEASE);
    exchange("b");

    assertThat(store().roll(HSM).living()).extracting(r -> r.report().node()).containsExactly("b");
  }

  @Test
  void roll_longSilentNode_isForgotten() {
    grant(exchange("a"), 1, "a");
    assertThat(rows(HSM)).isEqualTo(2);

    pass(LeaseStore.KEPT.plus(LEASE));
    exchange("b");
    store().roll(HSM);

    assertThat(rows(HSM)).isEqualTo(1);
  }

  @Test
  void grant_byTheLeader_isReadWithWhatIsLeft() {
    Answer leader = exchange("a");
    exchange("b");
    long start = System.nanoTime();
    assertThat(grant(leader, 5, "b")).isTrue();

    Held fresh = exchange("b").held().orElseThrow();
    assertThat(fresh.grant()).isEqualTo(new Grant("b", 5, 2.5));
    assertLeft(fresh, LEASE, start);
    assertThat(exchange("a", 1).held()).isEmpty();

    pass(Duration.ofSeconds(1));
    assertLeft(exchange("b").held().orElseThrow(), LEASE.minusSeconds(1), start);

    pass(Duration.ofSeconds(2));
    assertThat(exchange("b").held()).isEmpty();
  }

  @Test
  void grant_overReportsOfASecondAgo_endsASecondEarlier() {
    Leadership leader = exchange("a").leadership().orElseThrow();
    long start = System.nanoTime();
    Instant readAt = store().roll(HSM).at();
    pass(Duration.ofSeconds(1));

    assertThat(
            store()
                .grant(leader, List.of(new Grant("a", 1, 1)), aged(readAt, Duration.ofSeconds(1))))
        .isTrue();

    assertLeft(exchange("a", 1).held().orElseThrow(), LEASE.minusSeconds(1), start);
  }

  /** A time that was read before so much passed, if {@link #pass} makes rows older instead. */
  protected Instant aged(Instant readAt, Duration passed) {
    return readAt;
  }

  @Test
  void grant_byADeposedLeader_isRefusedAndNobodyReadsIt() {
    Answer deposed = exchange("a");
    pass(LEASE);
    exchange("b");

    assertThat(grant(deposed, 9, "a")).isFalse();
    assertThat(exchange("a", 1).held()).isEmpty();
  }

  @Test
  void grant_inAnEarlierEpochOfTheSameNode_isRefused() {
    Answer before = exchange("a");
    exchange("a");

    assertThat(grant(before, 9, "a")).isFalse();
  }

  @Test
  void grant_severalNodes_eachReadsItsOwn() {
    Leadership leader = exchange("a").leadership().orElseThrow();
    List<Grant> grants = List.of(new Grant("a", 1, 1.5), new Grant("b", 2, 0.125));
    assertThat(store().grant(leader, grants, store().roll(HSM).at())).isTrue();

    assertThat(exchange("a", 1).held().map(Held::grant)).contains(grants.get(0));
    assertThat(exchange("b").held().map(Held::grant)).contains(grants.get(1));
  }

  @Test
  void grant_ofALowerNumber_replacesNone() {
    Answer leader = exchange("a");
    grant(leader, 8, "a");
    grant(leader, 7, "a");

    assertThat(exchange("a", 1).held().orElseThrow().grant().number()).isEqualTo(8);
  }

  @Test
  void grant_clocksOfLeaderAndNodeDiffer_noMatter() {
    LeaseStore ahead = store(HOUR);
    Leadership leader =
        ahead.exchange(HSM, report("a", 0), OptionalInt.empty()).leadership().orElseThrow();
    long start = System.nanoTime();
    assertThat(ahead.grant(leader, List.of(new Grant("b", 1, 1)), ahead.roll(HSM).at())).isTrue();

    for (LeaseStore node : List.of(ahead, store(HOUR.negated()))) {
      Optional<Held> held = node.exchange(HSM, report("b", 0), OptionalInt.empty()).held();
      assertLeft(held.orElseThrow(), LEASE, start);
    }
  }

  @Test
  void leave_leader_nextLeadsAtOnceInTheNextEpoch() {
    Answer leader = exchange("a");
    exchange("b");

    store().leave(HSM, "a");

    assertThat(exchange("b").leadership()).contains(new Leadership(HSM, "b", 2));
    assertThat(grant(leader, 9, "a")).isFalse();
  }

  @Test
  void leave_notLeader_deposesNobody() {
    exchange("a");
    exchange("b");

    store().leave(HSM, "b");
    store().leave(HSM, "stranger");

    assertThat(exchange("c").leadership()).isEmpty();
  }

  @Test
  void leave_node_isNotAmongTheLivingAndItsGrantIsOver() {
    Answer leader = exchange("a");
    exchange("b");
    grant(leader, 5, "b");

    store().leave(HSM, "b");

    assertThat(store().roll(HSM).living()).extracting(r -> r.report().node()).containsExactly("a");
    assertThat(exchange("b").held()).isEmpty();
  }

  @Test
  void leave_oneToken_staysOnTheOther() {
    exchange("a");
    store().exchange(OTHER_HSM, report("a", 0), OptionalInt.empty());

    store().leave(HSM, "a");

    assertThat(store().roll(OTHER_HSM).living()).hasSize(1);
    assertThat(store().exchange(OTHER_HSM, report("b", 0), OptionalInt.empty()).leadership())
        .isEmpty();
  }

  @Test
  void tokens_eachOnItsOwn() {
    Answer one = exchange("a");
    Optional<Leadership> two =
        store().exchange(OTHER_HSM, report("b", 0), OptionalInt.empty()).leadership();
    grant(one, 1, "b");

    assertThat(two).contains(new Leadership(OTHER_HSM, "b", 1));
    assertThat(store().roll(OTHER_HSM).living()).hasSize(1);
    assertThat(store().exchange(OTHER_HSM, report("b", 0), OptionalInt.of(1)).held()).isEmpty();
  }

  /** What a real store took since {@code start}, and no more, may be missing. */
  private static void assertLeft(Held held, Duration left, long start) {
    Duration taken = Duration.ofNanos(System.nanoTime() - start).plus(DRIFT);
    assertThat(held.left()).isBetween(left.minus(taken), left);
  }

  private Answer exchange(String node) {
    return store().exchange(HSM, report(node, 0), OptionalInt.empty());
  }

  private Answer exchange(String node, int epoch) {
    return store().exchange(HSM, report(node, 0), OptionalInt.of(epoch));
  }

  private boolean grant(Answer leader, long number, String node) {
    return store()
        .grant(
            leader.leadership().orElseThrow(),
            List.of(new Grant(node, number, 2.5)),
            store().roll(HSM).at());
  }

  private static NodeReport report(String node, long grantSeen) {
    return new NodeReport(node, 4, 1, 0, SAMPLE, grantSeen);
  }

  private static <T> List<T> together(List<Callable<T>> tasks)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      for (Future<T> future : threads.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
        results.add(future.get(60, TimeUnit.SECONDS));
      }
    }
    return results;
  }
}
