package org.sluiceca.hsm.limit.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Cell;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Control;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Mutant;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Node;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Service;

/** Members on one token in virtual time, with a store between them. */
class LeaseMemberTest {

  private static final double LEASE = LeaseController.LEASE.toSeconds();
  private static final double PERIOD = LeaseController.PERIOD.toSeconds();
  private static final int NODES = 4;

  private final TokenSimulation simulation =
      new TokenSimulation(
          new Cell(NODES, 8, Service.CONSTANT, Control.STORED),
          TokenSimulation.QUEUE,
          Mutant.NONE,
          Long.getLong("seed", 1));

  @Test
  void beat_fromTheStart_oneLeadsAndAllAreLeasedSoon() {
    join();

    simulation.run(LEASE + 2 * PERIOD + 0.1);

    assertThat(leaders()).hasSize(1);
    assertThat(simulation.nodes).allMatch(Node::isLeased);
  }

  @Test
  void beat_leaderKilled_anotherLeadsWithinLeaseAndPeriod() {
    settle();
    Node leader = leaders().getFirst();

    leader.isAlive = false;
    simulation.run(LEASE + PERIOD + 0.1);

    assertThat(leaders()).hasSize(1).doesNotContain(leader);
    assertThat(simulation.leasedMax).isLessThanOrEqualTo(windowMax());
  }

  @Test
  void beat_leaderMuteAndBack_hasBeenDeposedAndFollows() {
    settle();
    Node before = leaders().getFirst();
    simulation.loseLeader();
    simulation.run(LEASE + 3 * PERIOD);

    simulation.elect();
    simulation.run(2 * PERIOD);

    assertThat(leaders()).hasSize(1).doesNotContain(before);
    assertThat(simulation.leasedMax).isLessThanOrEqualTo(windowMax());
  }

  @Test
  void beat_storeAwayForTenSeconds_aloneFromTheSameWidthAndLeasedAgain() {
    settle();
    simulation.tables.isAway = true;
    assertThat(widthsAroundTheEndOfLeases()).hasSize(NODES).allMatch(TwoWidths::areAlike);
    TokenSimulation.Seen away = simulation.observe(10 - LEASE - PERIOD);
    assertThat(away.utilization()).isGreaterThan(0.97);
    assertThat(simulation.failedBeats).isGreaterThan(NODES * 8);

    simulation.tables.isAway = false;
    simulation.run(LEASE + 3 * PERIOD);
    assertThat(simulation.nodes).allMatch(Node::isLeased);
    assertThat(simulation.leasedMax).isLessThanOrEqualTo(windowMax());
    assertThat(simulation.observe(10).utilization()).isGreaterThan(0.97);
  }

  @Test
  void beat_storeRestoredFromABackup_leasedAgain() {
    settle();
    int epoch = simulation.tables.loseEpochs();
    assertThat(epoch).isPositive();

    simulation.run(2 * LEASE + 4 * PERIOD);

    assertThat(simulation.nodes).allMatch(Node::isLeased);
  }

  @Test
  void view_ofTheLeader_tellsOfTheToken() {
    settle();

    LeaderView view = leaders().getFirst().member.view().orElseThrow();

    assertThat(view.nodes()).isEqualTo(NODES);
    assertThat(view.capacity()).isCloseTo(8 / TokenSimulation.BASE, within(100.0));
    assertThat(view.delaySeconds()).isBetween(0.0, 3 * view.targetSeconds());
    assertThat(view.jain()).isGreaterThan(0.99);
    assertThat(simulation.nodes.stream().filter(n -> n.member.view().isPresent())).hasSize(1);
  }

  private void join() {
    for (int i = 0; i < NODES; i++) {
      simulation.join(0.0005);
    }
  }

  private void settle() {
    join();
    simulation.run(20);
    assertThat(leaders()).hasSize(1);
    assertThat(simulation.nodes).allMatch(Node::isLeased);
  }

  private List<Node> leaders() {
    return simulation.nodes.stream().filter(n -> n.isAlive && n.member.leads()).toList();
  }

  private record TwoWidths(double leased, double alone) {

    boolean areAlike() {
      return Math.abs(alone - leased) <= 0.01 * leased;
    }
  }

  /** Lets leases end, and returns what each node had just before and just after. */
  private List<TwoWidths> widthsAroundTheEndOfLeases() {
    Map<Node, Double> leased = new HashMap<>();
    List<TwoWidths> around = new ArrayList<>();
    for (double t = 0; t < LEASE + PERIOD; t += 0.01) {
      for (Node node : simulation.nodes) {
        if (node.isLeased()) {
          leased.put(node, node.width());
        } else if (leased.containsKey(node)) {
          around.add(new TwoWidths(leased.remove(node), node.width()));
        }
      }
      simulation.run(0.01);
    }
    return around;
  }

  private double windowMax() {
    return simulation.limits.windowMax() + 1e-9;
  }
}
