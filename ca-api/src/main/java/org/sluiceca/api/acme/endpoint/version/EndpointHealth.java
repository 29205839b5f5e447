package org.sluiceca.api.acme.endpoint.version;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Reports which active endpoints are out of service on this node, and why. Always up: it serves the
 * others, and all else. Reads a snapshot.
 */
public final class EndpointHealth implements HealthIndicator {

  private final ActiveEndpoints endpoints;

  /** Reads how {@code endpoints} stand. */
  public EndpointHealth(ActiveEndpoints endpoints) {
    this.endpoints = endpoints;
  }

  @Override
  public Health health() {
    ActiveEndpoints.Standing standing = endpoints.standing();
    return Health.up()
        .withDetail("activation", standing.activation())
        .withDetail("refused", standing.refused())
        .build();
  }
}
