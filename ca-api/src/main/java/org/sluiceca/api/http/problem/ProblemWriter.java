package org.sluiceca.api.http.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.sluiceca.api.http.edge.Refusal;
import org.sluiceca.api.http.edge.RequestId;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes problems into responses, from controllers and filters alike. Thread-safe. */
@Component
public final class ProblemWriter implements Refusal {

  private final JsonMapper json;
  private final ObjectProvider<ProblemForm> forms;

  /** The forms are looked for with the first problem: filters are made before protocols. */
  public ProblemWriter(JsonMapper json, ObjectProvider<ProblemForm> forms) {
    this.json = json;
    this.forms = forms;
  }

  /** Writes {@code problem}, unless the response is already on its way. */
  public void write(
      HttpServletRequest request, HttpServletResponse response, ProblemException problem)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    ProblemType type = problem.type();
    response.resetBuffer();
    response.setStatus(type.status());
    problem
        .retryAfter()
        .ifPresent(
            wait ->
                response.setHeader(
                    HttpHeaders.RETRY_AFTER, Long.toString(Problem.retryAfterSeconds(wait))));
    problem
        .limit()
        .ifPresent(
            limit -> {
              Duration wait = problem.retryAfter().orElse(Duration.ZERO);
              response.setHeader(RateLimitFields.POLICY, RateLimitFields.policy(limit));
              response.setHeader(RateLimitFields.LIMIT, RateLimitFields.limit(limit, wait));
            });
    problem.location().ifPresent(l -> response.setHeader(HttpHeaders.LOCATION, l));
    if (type == ProblemType.UNAUTHENTICATED) {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"sluice\"");
    }
    response.setContentType(Problem.MEDIA_TYPE);
    Object said =
        forms.stream()
            .filter(form -> form.isFor(request))
            .findFirst()
            .map(form -> form.body(request, response, problem))
            .orElseGet(() -> Problem.of(problem, RequestId.of(request)));
    byte[] body = json.writeValueAsBytes(said);
    // Without a length: with its last byte Tomcat would close the request's body, too, which
    // BodyLimit reads to its end.
    response.getOutputStream().write(body);
  }

  @Override
  public void write(HttpServletRequest request, HttpServletResponse response, int status)
      throws IOException {
    ProblemType type = ProblemType.ofStatus(status);
    write(request, response, new ProblemException(type, detail(type)));
  }

  private static String detail(ProblemType type) {
    return switch (type) {
      case NOT_FOUND -> "nothing at this path";
      case MALFORMED_REQUEST -> "the request is not well-formed HTTP";
      case UNSUPPORTED_MEDIA_TYPE ->
          "the Content-Type is missing or not supported here, or the body is compressed";
      case INTERNAL -> "see the log of the node by the request id";
      default -> type.title();
    };
  }
}
