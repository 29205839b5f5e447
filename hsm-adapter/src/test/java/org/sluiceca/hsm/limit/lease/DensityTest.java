package org.sluiceca.hsm.limit.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Cell;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Control;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Mutant;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Seen;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Service;

/**
 * The field's HSM (200 a second by 8 engines, a queue of 150) under as many nodes as the field had,
 * as one host was meant to carry, and as many more as there may be one day: as busy with each, and
 * never full. Members with their store between them, as in production, in virtual time.
 */
class DensityTest {

  private static final long SEED = Long.getLong("seed", 1);
  private static final double SERVICE_SECONDS = 0.040;
  private static final double RTT_SECONDS = 0.001;
  private static final double SETTLE_SECONDS = 60;

  /**
   * With 100 nodes two certificates a second each: chance alone needs so long to be a hundredth.
   */
  private static final double OBSERVED_SECONDS = 600;

  /**
   * A node always has work.
   *
   * @param queue the longest that the HSM's queue may be in 99 % of the time: 20 as in the field's
   *     test; with more nodes than jobs that keep the HSM busy, a job of each that is not served;
   *     beyond, what {@code Limits} lets into an HSM, less what is served
   */
  @ParameterizedTest
  @CsvSource({"10, 20", "30, 23", "100, 90"})
  void nodes_onTheFieldsHsm_keepItBusyAndDoNotFillIt(int nodes, int queue) {
    TokenSimulation simulation =
        new TokenSimulation(
            new Cell(nodes, 8, Service.CONSTANT, Control.STORED),
            TokenSimulation.QUEUE,
            Mutant.NONE,
            SEED,
            SERVICE_SECONDS);
    for (int i = 0; i < nodes; i++) {
      simulation.join(RTT_SECONDS);
      simulation.run(0.2);
    }
    simulation.run(SETTLE_SECONDS);
    List<Long> before = completions(simulation);
    Seen seen = simulation.observe(OBSERVED_SECONDS);
    List<Long> after = completions(simulation);

    long least = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < nodes; i++) {
      long done = after.get(i) - before.get(i);
      least = Math.min(least, done);
      most = Math.max(most, done);
    }
    double spread = (double) most / least;
    System.out.printf(
        "%d nodes on 200/s: busy %.2f %%, most by least %.3f, Jain %.4f, queue p50 %d p99 %d, in the HSM at most %d, refused %d%n",
        nodes,
        100 * seen.utilization(),
        spread,
        seen.jain(),
        seen.queue50(),
        seen.queue99(),
        seen.inTokenMax(),
        seen.busy());
    assertThat(seen.utilization()).isGreaterThanOrEqualTo(0.97);
    assertThat(seen.busy()).isZero();
    assertThat(spread).isLessThanOrEqualTo(1.05);
    assertThat(seen.queue99()).isLessThanOrEqualTo(queue);
  }

  private static List<Long> completions(TokenSimulation simulation) {
    return simulation.nodes.stream().map(TokenSimulation.Node::completions).toList();
  }
}
