package org.sluiceca.api.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.Window;

class LimiterMetricsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LimiterMetrics metrics = new LimiterMetrics(registry);

  @Test
  void watch_theTokenLeaves_itsMetersToo() {
    Runnable leaves = metrics.watch("near", new Window.Fixed(4), Optional::empty);
    assertThat(cap()).isEqualTo(4);

    leaves.run();

    assertThat(registry.getMeters()).isEmpty();
  }

  /** A token whose settings have changed: its successor is open before it is closed. */
  @Test
  void watch_anotherOfThatNameHasCome_itsMetersStayWhenTheFirstLeaves() {
    Runnable first = metrics.watch("near", new Window.Fixed(4), Optional::empty);
    Runnable second = metrics.watch("near", new Window.Fixed(4), Optional::empty);

    first.run();

    assertThat(cap()).isEqualTo(4);
    second.run();
    assertThat(registry.getMeters()).isEmpty();
  }

  private double cap() {
    return registry.get("ca.hsm.inflight.cap").tag("hsm", "near").gauge().value();
  }
}
