package org.sluiceca.api.observe;

import org.sluiceca.hsm.route.TokenGroup;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Ready unless no token can sign. Saturation is not unreadiness: a load balancer must not pile the
 * load on fewer nodes.
 */
public final class SignerHealth implements HealthIndicator {

  private final TokenGroup tokens;

  /** Reads the tokens' snapshots; never signs. */
  public SignerHealth(TokenGroup tokens) {
    this.tokens = tokens;
  }

  @Override
  public Health health() {
    Health.Builder health = tokens.isUsable() ? Health.up() : Health.down();
    tokens.statuses().forEach(token -> health.withDetail(token.name(), token.state()));
    return health.build();
  }
}
