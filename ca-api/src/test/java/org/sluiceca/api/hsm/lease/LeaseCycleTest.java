package org.sluiceca.api.hsm.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.lease.InMemoryLeaseStore;
import org.sluiceca.hsm.limit.lease.LeaseStore;

class LeaseCycleTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final InMemoryLeaseStore.Tables tables = new InMemoryLeaseStore.Tables();
  private final List<Grant> grants = new ArrayList<>();
  private final List<Long> ends = new ArrayList<>();
  private long now = 1_000;
  private long seen;

  private final LeaseCycle turn =
      new LeaseCycle(
          new SharedToken(
              "token",
              Limits.of(8, 64, 4),
              this::report,
              (grant, untilNanos) -> {
                grants.add(grant);
                ends.add(untilNanos);
                seen = grant.number();
              }),
          "node-0.1",
          new InMemoryLeaseStore(tables),
          () -> now);

  @Test
  void status_beforeTheFirstTurn_alone() {
    assertThat(turn.status().isLeased()).isFalse();
    assertThat(turn.status().leads()).isFalse();
    assertThat(turn.status().view()).isEmpty();
    assertThat(turn.status().delaySeconds()).isNaN();
  }

  @Test
  void run_untilItIsGranted_handsTheGrantToTheSigner() {
    settle();

    assertThat(grants).isNotEmpty().allMatch(g -> g.node().equals("node-0.1"));
    assertThat(ends.getLast()).isGreaterThan(now).isLessThanOrEqualTo(now + 3 * SECOND.toNanos());
    LeaseStatus status = turn.status();
    assertThat(status.isLeased()).isTrue();
    assertThat(status.leads()).isTrue();
    assertThat(status.leaseAgeSeconds()).isZero();
    assertThat(status.delaySeconds()).isCloseTo(0.002, within(1e-9));
    assertThat(status.view().orElseThrow().nodes()).isEqualTo(1);
  }

  @Test
  void run_databaseAway_leaseEndsAndItsAgeGrows() {
    settle();
    int before = grants.size();

    tables.isAway = true;
    for (int i = 0; i < 10; i++) {
      pass();
      turn.run();
    }

    assertThat(grants).hasSize(before);
    assertThat(turn.status().isLeased()).isFalse();
    assertThat(turn.status().leaseAgeSeconds()).isCloseTo(10, within(1e-6));

    tables.isAway = false;
    settle();
    assertThat(turn.status().isLeased()).isTrue();
    assertThat(turn.status().leaseAgeSeconds()).isZero();
  }

  @Test
  void leave_leader_anotherLeadsAtOnce() {
    settle();
    LeaseStore others = new InMemoryLeaseStore(tables);
    NodeReport other = report("node-1.1");
    assertThat(others.exchange("token", other, OptionalInt.empty()).leadership()).isEmpty();

    turn.leave();

    assertThat(turn.status().isLeased()).isFalse();
    assertThat(turn.status().leads()).isFalse();
    assertThat(others.exchange("token", other, OptionalInt.empty()).leadership()).isPresent();
  }

  @Test
  void leave_databaseAway_leavesAllTheSame() {
    settle();
    tables.isAway = true;

    turn.leave();

    assertThat(turn.status().isLeased()).isFalse();
    assertThat(turn.status().leads()).isFalse();
  }

  @Test
  void status_loopHasStopped_notLeasedForEver() {
    settle();

    for (int i = 0; i < 3; i++) {
      pass();
    }

    assertThat(turn.status().isLeased()).isFalse();
  }

  private void settle() {
    for (int i = 0; i < 6; i++) {
      pass();
      turn.run();
    }
  }

  private void pass() {
    now += SECOND.toNanos();
    tables.pass(SECOND);
  }

  private NodeReport report(String node) {
    Sample sample = new Sample(100, 0.2, 0.0005, 4, 0, 0, 8, 1);
    return new NodeReport(node, 20, 8, 0, sample, seen);
  }
}
