package org.sluiceca.api.problem;

import java.time.Duration;
import org.sluiceca.core.admit.AdmissionDecision.Limit;

/**
 * A requester's used up limit as the header fields tell it (draft-ietf-httpapi-ratelimit-headers-10
 * sections 3 and 4): lists of RFC 9651, of strings with parameters.
 */
final class RateLimitFields {

  static final String POLICY = "RateLimit-Policy";
  static final String LIMIT = "RateLimit";

  private RateLimitFields() {}

  /** Returns the policy's name, as {@code violated-policies} has it too. */
  static String name(Limit limit) {
    return limit.window().isZero() ? "share" : "quota";
  }

  /** Returns the value of RateLimit-Policy. */
  static String policy(Limit limit) {
    return limit.window().isZero()
        ? "\"%s\";q=%d;qu=\"concurrent-requests\"".formatted(name(limit), limit.requests())
        : "\"%s\";q=%d;w=%d".formatted(name(limit), limit.requests(), limit.window().toSeconds());
  }

  /** Returns the value of RateLimit; its time is Retry-After's, which must not be the earlier. */
  static String limit(Limit limit, Duration retryAfter) {
    return "\"%s\";r=0;t=%d".formatted(name(limit), retryAfter.toSeconds());
  }
}
