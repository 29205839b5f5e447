package org.sluiceca.api.problem;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem. Without a stack trace: it is an answer, not a failure. */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ProblemType type;
  private final @Nullable Duration retryAfter;
  private final @Nullable String location;

  /** Answers {@code type} with one line of detail. */
  public ProblemException(ProblemType type, String detail) {
    this(type, detail, null, null);
  }

  /** Answers with Retry-After, and a Location where the client may look instead. */
  public ProblemException(
      ProblemType type, String detail, @Nullable Duration retryAfter, @Nullable String location) {
    super(detail, null, false, false);
    this.type = type;
    this.retryAfter = retryAfter;
    this.location = location;
  }

  ProblemType type() {
    return type;
  }

  String detail() {
    return String.valueOf(getMessage());
  }

  Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  Optional<String> location() {
    return Optional.ofNullable(location);
  }
}
