package org.sluiceca.api.acme.answer;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Makes the answers of ACME. */
public final class AcmeAnswer {

  private AcmeAnswer() {}

  /** An object with a status code. */
  public static ResponseEntity<Object> json(int status, Map<String, ?> body) {
    return ResponseEntity.status(status).contentType(MediaType.APPLICATION_JSON).body(body);
  }

  /** An object that is at {@code location}. */
  public static ResponseEntity<Object> at(String location, int status, Map<String, ?> body) {
    return ResponseEntity.status(status)
        .header(HttpHeaders.LOCATION, location)
        .contentType(MediaType.APPLICATION_JSON)
        .body(body);
  }

  /** An object that changes: the client asks again after {@code pollAfter}. */
  public static ResponseEntity<Object> pending(
      String location, Map<String, ?> body, Duration pollAfter) {
    return ResponseEntity.ok()
        .header(HttpHeaders.LOCATION, location)
        .header(HttpHeaders.RETRY_AFTER, seconds(pollAfter))
        .contentType(MediaType.APPLICATION_JSON)
        .body(body);
  }

  /** Whole seconds, 1 at least. */
  public static String seconds(Duration wait) {
    return Long.toString(Math.max(1, (wait.toMillis() + 999) / 1000));
  }

  /** The object of a problem (RFC 7807, RFC 8555 6.7). */
  public static Map<String, Object> problem(AcmeProblem problem) {
    Map<String, Object> body =
        new LinkedHashMap<>(problem(problem.type(), problem.status(), problem.detail()));
    if (!problem.subproblems().isEmpty()) {
      body.put("subproblems", problem.subproblems().stream().map(AcmeAnswer::sub).toList());
    }
    if (problem.type() == AcmeError.BAD_SIGNATURE_ALGORITHM) {
      body.put("algorithms", List.of("RS256", "ES256", "ES384", "ES512", "EdDSA"));
    }
    return body;
  }

  private static Map<String, Object> sub(AcmeProblem.Sub sub) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", sub.type().urn());
    body.put("detail", sub.detail());
    sub.subject()
        .ifPresent(
            subject ->
                body.put("identifier", Map.of("type", subject.type(), "value", subject.value())));
    return body;
  }

  /** The object of a problem that is part of another one. */
  public static Map<String, Object> problem(AcmeError type, int status, String detail) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", type.urn());
    body.put("detail", detail);
    body.put("status", status);
    return body;
  }
}
