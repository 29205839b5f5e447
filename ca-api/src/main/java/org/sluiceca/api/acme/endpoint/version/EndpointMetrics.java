package org.sluiceca.api.acme.endpoint.version;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Shows whether this node serves what was activated. Reads snapshots only. */
public final class EndpointMetrics {

  private EndpointMetrics() {}

  /** Registers in {@code registry}. */
  public static void watch(ActiveEndpoints endpoints, MeterRegistry registry) {
    Gauge.builder("ca.acme.endpoint.activation", endpoints, e -> e.standing().activation())
        .strongReference(true)
        .register(registry);
    Gauge.builder("ca.acme.endpoint.refused", endpoints, e -> e.standing().refused().size())
        .strongReference(true)
        .register(registry);
    FunctionCounter.builder("ca.acme.endpoint.failures", endpoints, ActiveEndpoints::failures)
        .register(registry);
  }
}
