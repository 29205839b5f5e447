package org.sluiceca.api.http.problem;

import java.time.Duration;
import java.util.List;
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
  private final transient List<String> faults;

  /** Answers {@code type} with one line of detail. */
  public ProblemException(ProblemType type, String detail) {
    this(type, detail, null, null);
  }

  /** Answers with Retry-After, and a Location where the client may look instead. */
  public ProblemException(
      ProblemType type, String detail, @Nullable Duration retryAfter, @Nullable String location) {
    this(type, detail, new Additions(retryAfter, location, null, List.of()));
  }

  /** Answers that the requester has used up {@code limit}. */
  static ProblemException limited(
      ProblemType type, String detail, Duration retryAfter, Limit limit) {
    return new ProblemException(type, detail, new Additions(retryAfter, null, limit, List.of()));
  }

  /** Answers that a file has these faults, 1 or more: all of them are the detail, too. */
  public static ProblemException faulty(ProblemType type, List<String> faults) {
    return new ProblemException(
        type, String.join("; ", faults), new Additions(null, null, null, faults));
  }

  private ProblemException(ProblemType type, String detail, Additions additions) {
    super(detail, null, false, false);
    this.type = type;
    this.retryAfter = additions.retryAfter;
    this.location = additions.location;
    this.limit = additions.limit;
    this.faults = List.copyOf(additions.faults);
  }

  /** What the answer has beyond type and detail. */
  private record Additions(
      @Nullable Duration retryAfter,
      @Nullable String location,
      @Nullable Limit limit,
      List<String> faults) {}

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

  List<String> faults() {
    return faults;
  }

  Optional<String> location() {
    return Optional.ofNullable(location);
  }
}
