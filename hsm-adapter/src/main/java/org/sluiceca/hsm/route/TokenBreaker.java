package org.sluiceca.hsm.route;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.IllegalStateTransitionException;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.sluiceca.hsm.HsmException;

/**
 * A token's circuit breaker: opened by the loss of the device alone, closed by a request that it
 * signs. Thread-safe, and shares nothing with the breakers of other tokens.
 */
final class TokenBreaker {
  /*
   * CLOSED → OPEN       two of the last four judged requests were lost with the device. What is
   *                     neither a signature nor a loss is not judged
   * OPEN → HALF_OPEN    after 2 s, doubling to 8 s; or at once when the token says that it is READY
   *                     again, or signs a request that had no other token
   * HALF_OPEN → CLOSED  the one request let through as a probe was signed
   * HALF_OPEN → OPEN    it was lost, or has said nothing for as long as a call may take, 5 s at
   *                     most: a probe that hangs must not keep the next one out
   */

  /** Four sessions of a busy token tell within a call; one lost job among many opens nothing. */
  private static final int JUDGED = 4;

  private static final int JUDGED_MIN = 2;
  private static final float LOST_PERCENT = 50;

  private static final Duration OPEN_MIN = Duration.ofSeconds(2);

  /** With PROBE_MAX below the 15 s within which a token that is back is to be used. */
  private static final Duration OPEN_MAX = Duration.ofSeconds(8);

  private static final double DOUBLED = 2;

  /** However long the token's calls may take. */
  private static final Duration PROBE_MAX = Duration.ofSeconds(5);

  /** Each probe of a hung token makes its requester wait for a call timeout. */
  private static final int PROBES = 1;

  private final CircuitBreaker breaker;
  private final Duration callTimeout;
  private final FailureRules rules;

  /**
   * A closed breaker.
   *
   * @param clock for the time that it stays open; a probe's time is always measured by the
   *     machine's
   */
  TokenBreaker(TokenSettings token, FailureRules rules, Clock clock) {
    this.callTimeout = token.hsm().callTimeout();
    this.rules = rules;
    this.breaker =
        CircuitBreaker.of(
            token.name(),
            CircuitBreakerConfig.custom()
                .slidingWindow(JUDGED, JUDGED_MIN, SlidingWindowType.COUNT_BASED)
                .failureRateThreshold(LOST_PERCENT)
                .waitIntervalFunctionInOpenState(
                    IntervalFunction.ofExponentialBackoff(OPEN_MIN, DOUBLED, OPEN_MAX))
                .permittedNumberOfCallsInHalfOpenState(PROBES)
                .maxWaitDurationInHalfOpenState(
                    callTimeout.compareTo(PROBE_MAX) < 0 ? callTimeout : PROBE_MAX)
                .writableStackTraceEnabled(false)
                .clock(clock)
                .build());
  }

  /** As in metrics and {@code /v1/capacity}. */
  enum State {
    CLOSED,
    HALF_OPEN,
    OPEN
  }

  State state() {
    return switch (breaker.getState()) {
      case OPEN, FORCED_OPEN -> State.OPEN;
      case HALF_OPEN -> State.HALF_OPEN;
      case CLOSED, DISABLED, METRICS_ONLY -> State.CLOSED;
    };
  }

  boolean isClosed() {
    return breaker.getState() == CircuitBreaker.State.CLOSED;
  }

  /** Takes the right to be the probe of a token whose breaker is not closed. */
  boolean tryProbe() {
    return breaker.tryAcquirePermission();
  }

  /** The token signed. */
  void succeeded() {
    breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    halfOpen();
  }

  /** The token did not sign. */
  void failed(HsmException failure, boolean isProbe) {
    if (rules.isDeviceLoss().test(failure, callTimeout)) {
      breaker.onError(0, TimeUnit.NANOSECONDS, failure);
    } else if (isProbe) {
      breaker.releasePermission();
    }
  }

  /** There is a sign that the token works: the next request may try it. */
  void halfOpen() {
    if (breaker.getState() != CircuitBreaker.State.OPEN) {
      return;
    }
    try {
      breaker.transitionToHalfOpenState();
    } catch (IllegalStateTransitionException e) {
      // Another thread was quicker: it is no longer open.
      return;
    }
  }
}
