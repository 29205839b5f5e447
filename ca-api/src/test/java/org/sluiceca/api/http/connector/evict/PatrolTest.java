package org.sluiceca.api.http.connector.evict;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the connections of a port are looked at, without threads. */
class PatrolTest {

  private int connections;
  private int looks;
  private int awake;

  /** What runs each second now. */
  private @Nullable Runnable step;

  private Runnable onLook = () -> {};

  private final Patrol patrol =
      new Patrol(
          () -> connections,
          () -> {
            looks++;
            onLook.run();
          },
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
    patrol.start();
    patrol.connected();

    assertThat(step).isNull();
  }

  @Test
  void connected_looksEachSecondUntilOnceAfterTheLastIsGone() {
    patrol.start();
    connections = 1;
    patrol.connected();
    patrol.connected();
    passSeconds(3);
    assertThat(looks).isEqualTo(3);

    connections = 0;
    passSeconds(10);
    assertThat(looks).isEqualTo(4);
    assertThat(step).isNull();

    connections = 2;
    patrol.connected();
    passSeconds(2);
    assertThat(looks).isEqualTo(6);
  }

  /** It has counted none; the one that comes then sees that it does not rest yet. */
  @Test
  void connected_whileItGoesToRest_looksGoOn() {
    patrol.start();
    connections = 1;
    patrol.connected();
    connections = 0;
    onLook =
        () -> {
          connections = 1;
          patrol.connected();
        };
    passSeconds(1);
    onLook = () -> {};

    passSeconds(3);

    assertThat(looks).isEqualTo(4);
  }

  @Test
  void stop_withConnections_nothingRunsUntilItIsStartedAgain() {
    patrol.start();
    connections = 1;
    patrol.connected();

    patrol.stop();
    patrol.connected();
    assertThat(step).isNull();

    patrol.start();
    assertThat(step).isNotNull();
  }

  @Test
  void whileAwake_onlyThen_runs() {
    patrol.whileAwake(() -> awake++);
    patrol.start();
    patrol.whileAwake(() -> awake++);
    assertThat(awake).isZero();
    connections = 1;
    patrol.connected();

    patrol.whileAwake(() -> awake++);

    assertThat(awake).isEqualTo(1);
  }
}
