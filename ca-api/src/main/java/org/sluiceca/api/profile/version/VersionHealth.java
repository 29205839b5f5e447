package org.sluiceca.api.profile.version;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Reports which activated profiles this node refuses. Always up: it issues under the others, and
 * nothing under those. Reads a snapshot.
 */
public final class VersionHealth implements HealthIndicator {

  private final ActiveVersions versions;

  /** Reads how {@code versions} stand. */
  public VersionHealth(ActiveVersions versions) {
    this.versions = versions;
  }

  @Override
  public Health health() {
    ActiveVersions.Standing standing = versions.standing();
    return Health.up()
        .withDetail("activation", standing.activation())
        .withDetail("refused", standing.refused())
        .build();
  }
}
