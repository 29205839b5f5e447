package org.sluiceca.api.http.problem;

import java.time.Duration;
import java.util.Locale;
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
        ? String.format(
            Locale.ROOT, "\"%s\";q=%d;qu=\"concurrent-requests\"", name(limit), limit.requests())
        : String.format(
            Locale.ROOT,
            "\"%s\";q=%d;w=%d",
            name(limit),
            limit.requests(),
            limit.window().toSeconds());
  }

  /** Returns the value of RateLimit; its time is Retry-After's, which must not be the earlier. */
  static String limit(Limit limit, Duration retryAfter) {
    return String.format(Locale.ROOT, "\"%s\";r=0;t=%d", name(limit), retryAfter.toSeconds());
  }
}
