package org.sluiceca.api.http.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error (RFC 9457 3.1).
 *
 * @param detail one line about this occurrence, never a secret
 * @param requestId finds the request in the node's log
 * @param violatedPolicies the limits that the requester has used up, as RateLimit-Policy names them
 * @param faults of a file that has several, each a line; detail has all of them in one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    @Nullable String requestId,
    @JsonProperty("violated-policies") @Nullable List<String> violatedPolicies,
    @Nullable List<String> faults) {

  /** The media type of RFC 9457. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** Returns what is said of a problem, wherever it is written. */
  public static Problem of(ProblemException problem, @Nullable String requestId) {
    ProblemType type = problem.type();
    return new Problem(
        type.uri(),
        type.title(),
        type.status(),
        problem.detail(),
        requestId,
        problem.limit().map(RateLimitFields::name).map(List::of).orElse(null),
        problem.faults().isEmpty() ? null : problem.faults());
  }

  /** Returns a wait as Retry-After says it: whole seconds, at least one. */
  public static long retryAfterSeconds(Duration wait) {
    return Math.max(1, wait.toSeconds());
  }
}
