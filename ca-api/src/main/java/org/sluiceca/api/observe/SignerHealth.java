package org.sluiceca.api.observe;

import org.sluiceca.hsm.HsmSigner;
import org.sluiceca.hsm.HsmState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Ready unless no token can sign. Saturation is not unreadiness: a load balancer must not pile the
 * load on fewer nodes.
 */
public final class SignerHealth implements HealthIndicator {

  private final HsmSigner hsm;

  /** Reads {@code hsm}'s snapshot; never signs. */
  public SignerHealth(HsmSigner hsm) {
    this.hsm = hsm;
  }

  @Override
  public Health health() {
    HsmState state = hsm.stats().state();
    return switch (state) {
      case READY, RECOVERING -> Health.up().withDetail("state", state).build();
      case TOKEN_LOST, PIN_REFUSED, CLOSED -> Health.down().withDetail("state", state).build();
    };
  }
}
