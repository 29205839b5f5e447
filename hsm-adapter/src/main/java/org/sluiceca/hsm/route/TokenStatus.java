package org.sluiceca.hsm.route;

import java.time.Duration;
import java.util.Optional;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;

/**
 * How one token of a group stands at one moment.
 *
 * @param state of a token that could not be opened yet: TOKEN_LOST or PIN_REFUSED
 * @param breaker {@code closed}, {@code half_open} or {@code open}
 * @param keys of those that the group asked for, how many it serves
 * @param stats empty while it could not be opened
 * @param trouble why it could not be opened; empty if it could
 * @param callTimeout how long a waiter stands by a call of it; zero of a token that has left
 */
public record TokenStatus(
    String name,
    TokenPolicy policy,
    HsmState state,
    String breaker,
    int keys,
    Optional<HsmStats> stats,
    String trouble,
    Duration callTimeout) {
  /** Whether some of its engines sign, or will in a moment. */
  public boolean isUsable() {
    return stats.map(HsmStats::isUsable).orElseGet(() -> isUsable(state));
  }

  /** Of a token that has left. */
  static TokenStatus gone(String name) {
    return new TokenStatus(
        name,
        TokenPolicy.DEFAULT,
        HsmState.CLOSED,
        "closed",
        0,
        Optional.empty(),
        "",
        Duration.ZERO);
  }

  static boolean isUsable(HsmState state) {
    return switch (state) {
      case READY, RECOVERING -> true;
      case TOKEN_LOST, PIN_REFUSED, CLOSED -> false;
    };
  }
}
