package org.sluiceca.api.http.problem;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.admit.AdmissionDecision.Limit;

/** Ends a request with a problem. Without a stack trace: it is an answer, not a failure. */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ProblemType type;
  private final @Nullable Duration retryAfter;
  private final @Nullable String location;
  private final transient @Nullable Limit limit;

  /** Answers {@code type} with one line of detail. */
  public ProblemException(ProblemType type, String detail) {
    this(type, detail, null, null);
  }

  /** Answers with Retry-After, and a Location where the client may look instead. */
  public ProblemException(
      ProblemType type, String detail, @Nullable Duration retryAfter, @Nullable String location) {
    this(type, detail, new Headers(retryAfter, location, null));
  }

  /** Answers that the requester has used up {@code limit}. */
  static ProblemException limited(
      ProblemType type, String detail, Duration retryAfter, Limit limit) {
    return new ProblemException(type, detail, new Headers(retryAfter, null, limit));
  }

  private ProblemException(ProblemType type, String detail, Headers headers) {
    super(detail, null, false, false);
    this.type = type;
    this.retryAfter = headers.retryAfter;
    this.location = headers.location;
    this.limit = headers.limit;
  }

  /** The headers of the answer. */
  private record Headers(
      @Nullable Duration retryAfter, @Nullable String location, @Nullable Limit limit) {}

  /** Returns what kind of problem it is. */
  public ProblemType type() {
    return type;
  }

  /** Returns one line about this occurrence. */
  public String detail() {
    return String.valueOf(getMessage());
  }

  /** Returns when to ask again, if that helps. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  Optional<Limit> limit() {
    return Optional.ofNullable(limit);
  }

  Optional<String> location() {
    return Optional.ofNullable(location);
  }
}
