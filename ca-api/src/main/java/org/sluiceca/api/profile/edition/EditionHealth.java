package org.sluiceca.api.profile.edition;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Tells which activated profiles this node refuses. Always up: it issues under the others, and
 * nothing under those. Reads a snapshot.
 */
public final class EditionHealth implements HealthIndicator {

  private final ActiveEditions editions;

  /** Reads how {@code editions} stand. */
  public EditionHealth(ActiveEditions editions) {
    this.editions = editions;
  }

  @Override
  public Health health() {
    ActiveEditions.Standing standing = editions.standing();
    return Health.up()
        .withDetail("activation", standing.activation())
        .withDetail("refused", standing.refused())
        .build();
  }
}
