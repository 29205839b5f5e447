package org.sluiceca.hsm.limit.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.hsm.limit.lease.ClusterEvent.Demand;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Cell;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Control;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Mutant;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Seen;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Service;

/**
 * The controllers on a simulated token, from one node on one engine to 30 nodes on 40. A build runs
 * some cells; {@code -Dmatrix=full} runs all, {@code -Dseed=} another course of events.
 */
class ControllerMatrixTest {

  private static final boolean IS_FULL = "full".equals(System.getProperty("matrix"));
  private static final long SEED = Long.getLong("seed", 1);

  @ParameterizedTest
  @EnumSource
  void everyCell_tenSecondsAfter_busyFairAndShort(ClusterEvent event) {
    List<String> failures = new ArrayList<>();
    int ran = 0;
    for (Cell cell : cells()) {
      if (event.isPossible(cell)) {
        TokenSimulation simulation = new TokenSimulation(cell, event.queueMax(), Mutant.NONE, SEED);
        Seen seen = event.run(simulation);
        Demand demand = event.demand(simulation);
        ran++;
        if (!demand.isMetBy(seen)) {
          failures.add("%s: %s, wanted %s; %s".formatted(event, seen, demand, simulation));
        }
      }
    }

    assertThat(failures).as("of %d cells, seed %d", ran, SEED).isEmpty();
    assertThat(ran).isPositive();
  }

  @Test
  void ownMinimum_staggeredJoins_isFoundUnfair() {
    Cell cell = new Cell(10, 8, Service.CONSTANT, Control.ALONE);

    Seen seen = found(ClusterEvent.STAGGERED_JOINS, cell, Mutant.OWN_MINIMUM);

    assertThat(seen.jain()).isLessThan(0.99);
  }

  @Test
  void releasedZombie_stall_isFoundToOverfillTheToken() {
    assertThat(busyInAStall(Mutant.NONE)).isZero();
    assertThat(busyInAStall(Mutant.RELEASED_ZOMBIE)).isPositive();
  }

  private static long busyInAStall(Mutant mutant) {
    TokenSimulation simulation =
        new TokenSimulation(
            new Cell(10, 8, Service.CONSTANT, Control.LEASED), TokenSimulation.QUEUE, mutant, SEED);
    for (int i = 0; i < simulation.cell.nodes(); i++) {
      simulation.join(0.0005);
    }
    simulation.run(20);
    simulation.stall(30);
    return simulation.observe(30).busy();
  }

  @Test
  void wholeJobs_mixedNetwork_isFoundUnfair() {
    Cell cell = new Cell(30, 8, Service.CONSTANT, Control.LEASED);

    Seen seen = found(ClusterEvent.MIXED_NETWORK, cell, Mutant.WHOLE_JOBS);

    assertThat(seen.jain()).isLessThan(0.99);
  }

  /** Runs a mutant, which must miss its demand where the original meets it. */
  private static Seen found(ClusterEvent event, Cell cell, Mutant mutant) {
    TokenSimulation original = new TokenSimulation(cell, event.queueMax(), Mutant.NONE, SEED);
    assertThat(event.demand(original).isMetBy(event.run(original))).isTrue();
    TokenSimulation mutated = new TokenSimulation(cell, event.queueMax(), mutant, SEED);
    Seen seen = event.run(mutated);
    assertThat(event.demand(mutated).isMetBy(seen)).isFalse();
    return seen;
  }

  private static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Control control : Control.values()) {
      for (Service service : Service.values()) {
        for (int engines : IS_FULL ? new int[] {1, 4, 8, 20, 40} : new int[] {1, 8}) {
          for (int nodes : IS_FULL ? new int[] {1, 3, 10, 30} : new int[] {1, 10}) {
            cells.add(new Cell(nodes, engines, service, control));
          }
        }
      }
    }
    return cells;
  }
}
