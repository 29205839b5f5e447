package org.sluiceca.api.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.sluiceca.api.http.connector.BoundedProtocol;

/** The connections of a service port, as metrics. */
public final class ConnectionMetrics {

  private final MeterRegistry registry;

  /** Feeds {@code registry}. */
  public ConnectionMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Registers a port's connections under {@code scheme}, http or https. */
  public void watch(BoundedProtocol protocol, String scheme) {
    Gauge.builder("ca.connections.open", protocol, BoundedProtocol::connections)
        .tag("scheme", scheme)
        .register(registry);
    Gauge.builder("ca.connections.max", protocol, BoundedProtocol::connectionsMax)
        .tag("scheme", scheme)
        .register(registry);
    FunctionCounter.builder("ca.connections.evicted", protocol, BoundedProtocol::evicted)
        .tag("scheme", scheme)
        .register(registry);
    FunctionCounter.builder("ca.bodies.cut", protocol, BoundedProtocol::bodiesCut)
        .tag("scheme", scheme)
        .register(registry);
    FunctionCounter.builder("ca.connections.refused", protocol, BoundedProtocol::refused)
        .tag("scheme", scheme)
        .register(registry);
  }
}
