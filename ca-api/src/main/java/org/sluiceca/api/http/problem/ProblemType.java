package org.sluiceca.api.http.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The closed list of problem types (RFC 9457 3.1.1), each with its status code and what it means.
 * Names are append-only: clients match on them.
 */
public enum ProblemType {
  MALFORMED_REQUEST(400, "The request is not well formed"),
  MALFORMED_CSR(400, "The certification request is not well formed"),
  PRIVATE_KEY_SENT(400, "The request holds a private key, which counts as exposed now"),
  UNAUTHENTICATED(401, "No valid credential was presented"),
  FORBIDDEN(403, "The requester may not do this"),
  PROFILE_NOT_ALLOWED(403, "The requester may not use this profile"),
  NOT_FOUND(404, "There is no such thing here, or it is not yours to see"),
  UNKNOWN_PROFILE(404, "There is no profile of this name"),
  METHOD_NOT_ALLOWED(405, "The method is not supported here"),
  NOT_ACCEPTABLE(406, "None of the accepted media types can be given"),
  REQUEST_TIMEOUT(408, "The request did not arrive in time"),
  IDEMPOTENCY_KEY_IN_PROGRESS(409, "The first request with this Idempotency-Key is not finished"),
  CONFLICT(409, "The request contradicts what is already there"),
  PRECONDITION_FAILED(412, "A precondition of the request is false"),
  BODY_TOO_LARGE(413, "The request body is larger than 64 KiB"),
  UNSUPPORTED_MEDIA_TYPE(415, "The request's media type is not supported"),
  BAD_PROOF_OF_POSSESSION(422, "The CSR's signature does not verify under its public key"),
  UNSUPPORTED_ALGORITHM(422, "The request uses an algorithm that is not supported"),
  WEAK_KEY(422, "The public key is too weak or not valid"),
  COMPROMISED_KEY(422, "The public key was reported as compromised"),
  NAME_NOT_ALLOWED(422, "A requested name is not allowed"),
  PROFILE_VIOLATION(422, "The request contradicts its profile"),
  INVALID_PROFILE(422, "This is no profile that may issue here"),
  INVALID_ENDPOINT(422, "This is no endpoint that may be served here"),
  TOKEN_NOT_APPROVABLE(422, "A token cannot be approved by a second person"),
  INVALID_ISSUER(422, "These are no certificates that may issue here"),
  LINT(422, "The planned certificate failed a lint"),
  IDEMPOTENCY_KEY_REUSED(422, "The Idempotency-Key was used before with another payload"),
  QUOTA_EXCEEDED(
      429,
      "The requester has more than its share, or has used up its quota",
      "https://iana.org/assignments/http-problem-types#quota-exceeded"),
  INTERNAL(500, "The service failed; the id finds the cause in its log"),
  NOT_IMPLEMENTED(501, "The request needs what this service does not do"),
  SATURATED(
      503,
      "The service is saturated",
      "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"),
  PROFILE_UNAVAILABLE(503, "This node cannot issue by the profile's active version"),
  SIGNER_UNAVAILABLE(503, "No HSM token can sign now"),
  LEDGER_UNAVAILABLE(503, "The ledger takes no more for now"),
  DATABASE_UNAVAILABLE(503, "The database does not answer"),
  CRL_UNAVAILABLE(503, "There is no current CRL here"),
  IDENTITY_PROVIDER_UNAVAILABLE(503, "The identity provider does not answer"),
  SHUTTING_DOWN(503, "This node is shutting down"),
  HTTP_VERSION_NOT_SUPPORTED(505, "The service speaks HTTP/1.1");

  private final int status;
  private final String title;
  private final String uri;

  ProblemType(int status, String title) {
    this.status = status;
    this.title = title;
    this.uri = "/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  ProblemType(int status, String title, String uri) {
    this.status = status;
    this.title = title;
    this.uri = uri;
  }

  /** Returns the HTTP status code. */
  public int status() {
    return status;
  }

  /** Returns the title, the same for every occurrence. */
  public String title() {
    return title;
  }

  /** Returns the type URI; a relative one is resolved against the service (RFC 9457 3.1.1). */
  public String uri() {
    return uri;
  }

  /**
   * Returns what a bare status code means, where something before the application set it: 404 and
   * 413 say enough, any other 4xx is a malformed request, any other 5xx a failure.
   */
  public static ProblemType ofStatus(int status) {
    return Arrays.stream(values())
        .filter(t -> t.status == status)
        .findFirst()
        .orElse(status < 500 ? MALFORMED_REQUEST : INTERNAL);
  }

  /** Returns the type whose URI ends in {@code name}. */
  public static Optional<ProblemType> ofName(String name) {
    return Arrays.stream(values()).filter(t -> t.uri.equals("/problems/" + name)).findFirst();
  }
}
