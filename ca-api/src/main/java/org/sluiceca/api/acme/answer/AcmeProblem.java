package org.sluiceca.api.acme.answer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.registration.name.Identifier;

/** Ends a request with an error of RFC 8555 section 6.7. Without a stack trace: it is an answer. */
public final class AcmeProblem extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * A problem of one identifier (RFC 8555 6.7.1).
   *
   * @param subject the identifier as its client sent it; empty if it has no type or no value
   */
  public record Sub(AcmeError type, String detail, Optional<Subject> subject) {

    /** A problem of an identifier that can be one. */
    public static Sub of(AcmeError type, String detail, Identifier identifier) {
      return new Sub(type, detail, Optional.of(new Subject(identifier.type(), identifier.value())));
    }
  }

  /** A type and a value that may be no identifier. */
  public record Subject(String type, String value) {

    /** Longer than any name: the answer to a hundred of them is no longer than their request. */
    private static final int CHARACTERS_MAX = 255;

    /** Cuts what is longer. */
    public Subject {
      type = cut(type);
      value = cut(value);
    }

    private static String cut(String text) {
      return text.codePointCount(0, text.length()) <= CHARACTERS_MAX
          ? text
          : text.substring(0, text.offsetByCodePoints(0, CHARACTERS_MAX));
    }
  }

  private final AcmeError type;
  private final int status;
  private final @Nullable Duration retryAfter;
  private final transient List<Sub> subproblems;
  private final @Nullable String location;

  /** Answers {@code type} with one line of detail. */
  public AcmeProblem(AcmeError type, String detail) {
    this(type, detail, List.of());
  }

  /** The same, for some of the identifiers. */
  public AcmeProblem(AcmeError type, String detail, List<Sub> subproblems) {
    this(type, type.status(), detail, null, subproblems, null);
  }

  private AcmeProblem(
      AcmeError type,
      int status,
      String detail,
      @Nullable Duration retryAfter,
      List<Sub> subproblems,
      @Nullable String location) {
    super(detail, null, false, false);
    this.type = type;
    this.status = status;
    this.retryAfter = retryAfter;
    this.subproblems = subproblems;
    this.location = location;
  }

  /** Refused for load; the client comes back then. */
  public static AcmeProblem later(String detail, Duration retryAfter) {
    return new AcmeProblem(
        AcmeError.RATE_LIMITED,
        AcmeError.RATE_LIMITED.status(),
        detail,
        retryAfter,
        List.of(),
        null);
  }

  /** RFC 8555 7.3.6: its account was ended. */
  public static AcmeProblem deactivated() {
    return of(AcmeError.UNAUTHORIZED, 401, "the account of this key is deactivated", null);
  }

  /** Something that this node needs does not answer. */
  public static AcmeProblem unavailable(String detail, Duration retryAfter) {
    return new AcmeProblem(AcmeError.SERVER_INTERNAL, 503, detail, retryAfter, List.of(), null);
  }

  /** A problem of another status than its type's, such as 404 and 409. */
  public static AcmeProblem of(
      AcmeError type, int status, String detail, @Nullable String location) {
    return new AcmeProblem(type, status, detail, null, List.of(), location);
  }

  public AcmeError type() {
    return type;
  }

  public int status() {
    return status;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }

  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  public List<Sub> subproblems() {
    return subproblems;
  }

  public Optional<String> location() {
    return Optional.ofNullable(location);
  }
}
