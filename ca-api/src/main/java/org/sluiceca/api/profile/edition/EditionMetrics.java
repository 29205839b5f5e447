package org.sluiceca.api.profile.edition;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Shows whether this node issues by what was activated. Reads snapshots only. */
public final class EditionMetrics {

  private EditionMetrics() {}

  /** Registers in {@code registry}. */
  public static void watch(ActiveEditions editions, MeterRegistry registry) {
    Gauge.builder("ca.profile.activation", editions, e -> e.standing().activation())
        .strongReference(true)
        .register(registry);
    Gauge.builder("ca.profile.refused", editions, e -> e.standing().refused().size())
        .strongReference(true)
        .register(registry);
    FunctionCounter.builder("ca.profile.failures", editions, ActiveEditions::failures)
        .register(registry);
  }
}
