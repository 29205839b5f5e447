package org.sluiceca.api.profile.version;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Shows whether this node issues by what was activated. Reads snapshots only. */
public final class VersionMetrics {

  private VersionMetrics() {}

  /** Registers in {@code registry}. */
  public static void watch(ActiveVersions versions, MeterRegistry registry) {
    Gauge.builder("ca.profile.activation", versions, e -> e.standing().activation())
        .strongReference(true)
        .register(registry);
    Gauge.builder("ca.profile.refused", versions, e -> e.standing().refused().size())
        .strongReference(true)
        .register(registry);
    FunctionCounter.builder("ca.profile.failures", versions, ActiveVersions::failures)
        .register(registry);
  }
}
