package org.sluiceca.api.http.connector.evict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the connections of a port are swept, without threads. */
class ConnectionSweepTest {

  private int connections;
  private int sweeps;
  private int awake;

  /** How often the part of a sweep ran that follows the one that may fail. */
  private int lastParts;

  /** What runs each second now. */
  private @Nullable Runnable step;

  private Runnable onSweep = () -> {};

  private final ConnectionSweep sweep =
      new ConnectionSweep(
          () -> connections,
          List.of(
              () -> {
                sweeps++;
                onSweep.run();
              },
              () -> lastParts++),
          each -> {
            step = each;
            return () -> step = null;
          });

  private void passSeconds(int seconds) {
    for (int i = 0; i < seconds && step != null; i++) {
      step.run();
    }
  }

  @Test
  void noConnection_nothingRuns() {
    sweep.start();
    sweep.connected();

    assertThat(step).isNull();
  }

  @Test
  void connected_sweepsEachSecondUntilOnceAfterTheLastIsGone() {
    sweep.start();
    connections = 1;
    sweep.connected();
    sweep.connected();
    passSeconds(3);
    assertThat(sweeps).isEqualTo(3);

    connections = 0;
    passSeconds(10);
    assertThat(sweeps).isEqualTo(4);
    assertThat(step).isNull();

    connections = 2;
    sweep.connected();
    passSeconds(2);
    assertThat(sweeps).isEqualTo(6);
  }

  /** It has counted none; the one that comes then sees that it does not rest yet. */
  @Test
  void connected_whileItGoesToRest_sweepsGoOn() {
    sweep.start();
    connections = 1;
    sweep.connected();
    connections = 0;
    onSweep =
        () -> {
          connections = 1;
          sweep.connected();
        };
    passSeconds(1);
    onSweep = () -> {};

    passSeconds(3);

    assertThat(sweeps).isEqualTo(4);
  }

  /** Without sweeps a port would have no time limits. */
  @Test
  void connected_sweepFails_theNextComesAndTheLastEndsThem() {
    sweep.start();
    connections = 1;
    sweep.connected();
    onSweep =
        () -> {
          throw new IllegalStateException("planted");
        };
    passSeconds(2);
    assertThat(sweeps).isEqualTo(2);
    assertThat(lastParts).isEqualTo(2);

    connections = 0;
    passSeconds(2);
    assertThat(sweeps).isEqualTo(3);
    assertThat(step).isNull();
  }

  @Test
  void stop_withConnections_nothingRunsUntilItIsStartedAgain() {
    sweep.start();
    connections = 1;
    sweep.connected();

    sweep.stop();
    sweep.connected();
    assertThat(step).isNull();

    sweep.start();
    assertThat(step).isNotNull();
  }

  @Test
  void whileAwake_onlyThen_runs() {
    sweep.whileAwake(() -> awake++);
    sweep.start();
    sweep.whileAwake(() -> awake++);
    assertThat(awake).isZero();
    connections = 1;
    sweep.connected();

    sweep.whileAwake(() -> awake++);

    assertThat(awake).isEqualTo(1);
  }
}
