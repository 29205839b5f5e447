package org.sluiceca.api.acme;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemForm;
import org.sluiceca.api.http.problem.ProblemType;

/**
 * Errors of ACME that come before its controller: a method, a media type or a body that is not
 * right (RFC 8555 6.2, 6.3, 6.7). Clients read their types, and need the nonce for the next
 * request.
 */
public final class AcmeProblemForm implements ProblemForm {

  private final AcmeHeaders headers;

  public AcmeProblemForm(AcmeHeaders headers) {
    this.headers = headers;
  }

  @Override
  public boolean isFor(HttpServletRequest request) {
    return AcmeHeaders.isAcme(request);
  }

  @Override
  public Object body(
      HttpServletRequest request, HttpServletResponse response, ProblemException problem) {
    headers
        .ofError(request)
        .forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
    ProblemType type = problem.type();
    String detail = problem.detail();
    return AcmeAnswer.problem(
        error(type),
        type.status(),
        detail.equals(type.title()) ? detail : type.title() + ": " + detail);
  }

  private static AcmeError error(ProblemType type) {
    return switch (type) {
      case QUOTA_EXCEEDED -> AcmeError.RATE_LIMITED;
      case UNAUTHENTICATED, FORBIDDEN -> AcmeError.UNAUTHORIZED;
      default -> type.status() < 500 ? AcmeError.MALFORMED : AcmeError.SERVER_INTERNAL;
    };
  }
}
