package org.sluiceca.api.http.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.edge.BodyBrokenException;
import org.sluiceca.api.http.edge.BodyTooLargeException;
import org.sluiceca.api.http.edge.BodyTooSlowException;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.failure.Rejection;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/**
 * The one place where failures become status codes. What it does not know is an internal error: an
 * id for the client, the cause in the log.
 */
@RestControllerAdvice
public final class ProblemMapper {

  /** A ledger that restarts is back within seconds. */
  public static final Duration LEDGER_RETRY = Duration.ofSeconds(5);

  /** An operator has to give the node the issuer's profile file, or activate another version. */
  static final Duration PROFILE_RETRY = Duration.ofSeconds(30);

  private static final String PROFILE_DETAIL =
      String.format(
              Locale.ROOT,
              "another node may issue by it: ask that one, or retry in %d s; the operator finds the reason",
              PROFILE_RETRY.toSeconds())
          + " in this node's health details and in ./sluice status";

  private static final String DATABASE_DETAIL =
      String.format(
              Locale.ROOT,
              "PostgreSQL is stopped, unreachable or too slow: retry in %d s with the same Idempotency-Key;",
              LEDGER_RETRY.toSeconds())
          + " if that goes on, the operator finds the cause in the node's log";

  private static final Logger LOG = LoggerFactory.getLogger(ProblemMapper.class);

  private final ProblemWriter writer;

  public ProblemMapper(ProblemWriter writer) {
    this.writer = writer;
  }

  /** Returns the answer to a request that was refused for cause. */
  public static ProblemException rejected(Rejection rejection) {
    ProblemType type =
        switch (rejection.reason()) {
          case MALFORMED_CSR -> ProblemType.MALFORMED_CSR;
          case BAD_PROOF_OF_POSSESSION -> ProblemType.BAD_PROOF_OF_POSSESSION;
          case UNSUPPORTED_ALGORITHM -> ProblemType.UNSUPPORTED_ALGORITHM;
          case WEAK_KEY -> ProblemType.WEAK_KEY;
          case COMPROMISED_KEY -> ProblemType.COMPROMISED_KEY;
          case NAME_NOT_ALLOWED -> ProblemType.NAME_NOT_ALLOWED;
          case PROFILE_VIOLATION -> ProblemType.PROFILE_VIOLATION;
          case LINT -> ProblemType.LINT;
          case UNKNOWN_PROFILE -> ProblemType.UNKNOWN_PROFILE;
          case PROFILE_NOT_ALLOWED -> ProblemType.PROFILE_NOT_ALLOWED;
          case IDEMPOTENCY_KEY_REUSED -> ProblemType.IDEMPOTENCY_KEY_REUSED;
          case IDEMPOTENCY_KEY_IN_PROGRESS -> ProblemType.IDEMPOTENCY_KEY_IN_PROGRESS;
        };
    return new ProblemException(type, rejection.detail());
  }

  /** Returns the answer to a request that was shed. */
  public static ProblemException shed(AdmissionDecision.Shed shed) {
    return switch (shed.cause()) {
      case SATURATED -> shed(ProblemType.SATURATED, "every place on the line is taken", shed);
      case OVER_SHARE ->
          shed(
              ProblemType.QUOTA_EXCEEDED,
              "the requester has more of the line than others who want it, too",
              shed);
      case OVER_QUOTA ->
          shed(
              ProblemType.QUOTA_EXCEEDED, "the requester has used up its quota of this node", shed);
      case DEADLINE_UNREACHABLE ->
          shed(ProblemType.SATURATED, "the work ahead would outlast the request's deadline", shed);
      case SIGNER_LOST -> shed(ProblemType.SIGNER_UNAVAILABLE, "no HSM token can sign now", shed);
      case ORDERS_OVER_QUOTA ->
          shed(
              ProblemType.QUOTA_EXCEEDED,
              "the requester has as many orders waiting as it may",
              shed);
      case BACKLOG_FULL -> shed(ProblemType.SATURATED, "as many orders wait as may in all", shed);
      case DRAINING -> shed(ProblemType.SHUTTING_DOWN, "ask another node", shed);
    };
  }

  private static ProblemException shed(
      ProblemType type, String detail, AdmissionDecision.Shed shed) {
    return shed.limit()
        .map(limit -> ProblemException.limited(type, detail, shed.retryAfter(), limit))
        .orElseGet(() -> new ProblemException(type, detail, shed.retryAfter(), null));
  }

  @ExceptionHandler
  void problem(ProblemException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    writer.write(request, response, e);
  }

  /** Returns the answer to a request for which something is missing here. */
  public static ProblemException unavailable(CaUnavailable e) {
    ProblemType type =
        switch (e) {
          case CaUnavailable.LedgerUnavailable ledger ->
              ledger.isDatabaseFailure()
                  ? ProblemType.DATABASE_UNAVAILABLE
                  : ProblemType.LEDGER_UNAVAILABLE;
          case CaUnavailable.ProfileUnavailable profile -> ProblemType.PROFILE_UNAVAILABLE;
          case CaUnavailable.ClaimLost lost -> ProblemType.LEDGER_UNAVAILABLE;
          case CaUnavailable.SignerUnavailable signer -> ProblemType.SIGNER_UNAVAILABLE;
          case CaUnavailable.SignatureRefused refused -> ProblemType.SIGNER_UNAVAILABLE;
          case CaUnavailable.IssuerInactive inactive -> ProblemType.SIGNER_UNAVAILABLE;
        };
    return switch (type) {
      case PROFILE_UNAVAILABLE -> new ProblemException(type, PROFILE_DETAIL, PROFILE_RETRY, null);
      case DATABASE_UNAVAILABLE -> new ProblemException(type, DATABASE_DETAIL, LEDGER_RETRY, null);
      default -> new ProblemException(type, type.title(), LEDGER_RETRY, null);
    };
  }

  @ExceptionHandler
  void unavailable(CaUnavailable e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    LOG.warn("unavailable: {}", e.getMessage());
    writer.write(request, response, unavailable(e));
  }

  @ExceptionHandler({
    HttpMessageNotReadableException.class,
    BodyTooLargeException.class,
    BodyTooSlowException.class,
    BodyBrokenException.class,
    MissingServletRequestParameterException.class,
    MethodArgumentTypeMismatchException.class
  })
  void malformed(Exception e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    // A body over a limit surfaces inside the reader's exception.
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      ProblemType limit =
          switch (cause) {
            case BodyTooLargeException tooLarge -> ProblemType.BODY_TOO_LARGE;
            case BodyTooSlowException tooSlow -> ProblemType.REQUEST_TIMEOUT;
            case BodyBrokenException broken -> ProblemType.MALFORMED_REQUEST;
            default -> null;
          };
      if (limit != null) {
        answer(request, response, limit, limit.title());
        return;
      }
    }
    String detail =
        switch (e) {
          case MissingServletRequestParameterException missing ->
              "parameter " + missing.getParameterName() + " is missing";
          case MethodArgumentTypeMismatchException parameter ->
              "parameter " + parameter.getName() + " cannot be read as its type";
          default -> JsonFault.of(e);
        };
    answer(request, response, ProblemType.MALFORMED_REQUEST, detail);
  }

  /** What the firewall and Tomcat see only when a header or parameter is read: here, not before. */
  @ExceptionHandler({RequestRejectedException.class, InvalidParameterException.class})
  void unreadable(HttpServletRequest request, HttpServletResponse response) throws IOException {
    answer(
        request,
        response,
        ProblemType.MALFORMED_REQUEST,
        "a header or the query is not well formed, or has characters that are not acceptable");
  }

  @ExceptionHandler
  void mediaType(
      HttpMediaTypeNotSupportedException e,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    answer(
        request,
        response,
        ProblemType.UNSUPPORTED_MEDIA_TYPE,
        "supported: " + e.getSupportedMediaTypes());
  }

  @ExceptionHandler
  void notAcceptable(
      HttpMediaTypeNotAcceptableException e,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    answer(
        request, response, ProblemType.NOT_ACCEPTABLE, "available: " + e.getSupportedMediaTypes());
  }

  @ExceptionHandler
  void method(
      HttpRequestMethodNotSupportedException e,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    String[] methods = e.getSupportedMethods();
    if (methods != null) {
      response.setHeader("Allow", String.join(", ", methods));
    }
    answer(request, response, ProblemType.METHOD_NOT_ALLOWED, "not " + e.getMethod());
  }

  @ExceptionHandler({NoResourceFoundException.class, NoHandlerFoundException.class})
  void notFound(HttpServletRequest request, HttpServletResponse response) throws IOException {
    answer(request, response, ProblemType.NOT_FOUND, "nothing at this path");
  }

  /** The protocol edge: nothing unknown may reach a client in detail. */
  @ExceptionHandler
  void internal(Exception e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    LOG.error("request failed", e);
    answer(request, response, ProblemType.INTERNAL, "see the log of the node by the request id");
  }

  private void answer(
      HttpServletRequest request, HttpServletResponse response, ProblemType type, String detail)
      throws IOException {
    writer.write(request, response, new ProblemException(type, detail));
  }
}
