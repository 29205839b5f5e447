package org.sluiceca.api.acme;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.acme.account.service.AcmeKeyChange;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.acme.signed.SignedRequests.By;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.wire.json.JsonException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The routes of ACME (RFC 8555 7.1). Each answer to a signed request has a fresh nonce, errors too.
 */
@RestController
@RequestMapping("/acme/{endpoint}")
public final class AcmeController {

  private static final String JOSE = "application/jose+json";
  private static final Duration UNAVAILABLE_RETRY = Duration.ofSeconds(5);

  private final AcmeParts parts;
  private final AcmeKeyChange keyChange;
  private final AcmeHeaders headers;
  private final MeterRegistry registry;

  AcmeController(
      AcmeParts parts, AcmeKeyChange keyChange, AcmeHeaders headers, MeterRegistry registry) {
    this.parts = parts;
    this.keyChange = keyChange;
    this.headers = headers;
    this.registry = registry;
  }

  /** What a signed request asks for. */
  @FunctionalInterface
  private interface Act {
    ResponseEntity<?> answer(SignedRequest request) throws JsonException;
  }

  @GetMapping("/directory")
  ResponseEntity<Map<String, Object>> directory(@PathVariable String endpoint) {
    return ResponseEntity.ok()
        .header(HttpHeaders.CACHE_CONTROL, "public, max-age=0, no-cache")
        .contentType(MediaType.APPLICATION_JSON)
        .body(AcmeDirectory.of(find(endpoint), parts.urls()));
  }

  /** RFC 8555 6.3: POST-as-GET as well as GET, here and for nonces. */
  @PostMapping(path = "/directory", consumes = JOSE)
  ResponseEntity<?> directory(
      @PathVariable String endpoint, @RequestBody byte[] body, HttpServletRequest http) {
    return signed(
        endpoint,
        body,
        http,
        By.ACCOUNT,
        r -> {
          r.requireNoPayload();
          return AcmeAnswer.json(200, AcmeDirectory.of(r.endpoint(), parts.urls()));
        });
  }

  /** HEAD is answered 200 and GET 204 (RFC 8555 7.2). */
  @GetMapping("/new-nonce")
  ResponseEntity<Void> nonce(@PathVariable String endpoint, HttpServletRequest http) {
    AcmeEndpoint found = find(endpoint);
    return ResponseEntity.status(http.getMethod().equals("HEAD") ? 200 : 204)
        .headers(headers.of(found))
        .build();
  }

  @PostMapping(path = "/new-nonce", consumes = JOSE)
  ResponseEntity<?> nonce(
      @PathVariable String endpoint, @RequestBody byte[] body, HttpServletRequest http) {
    return signed(
        endpoint,
        body,
        http,
        By.ACCOUNT,
        r -> {
          r.requireNoPayload();
          return ResponseEntity.noContent().build();
        });
  }

  /** Renewal information needs no account and no nonce (RFC 9773 4). */
  @GetMapping("/renewal-info/{id}")
  ResponseEntity<Object> renewalInfo(
      @PathVariable String endpoint, @PathVariable String id, HttpServletRequest http) {
    AcmeEndpoint found = find(endpoint);
    ResponseEntity<Object> answer = parts.orders().renewals().show(http.getRemoteAddr(), id);
    return ResponseEntity.status(answer.getStatusCode())
        .headers(answer.getHeaders())
        .header(HttpHeaders.LINK, headers.index(found))
        .body(answer.getBody());
  }

  @PostMapping(path = "/new-account", consumes = JOSE)
  ResponseEntity<?> account(
      @PathVariable String endpoint, @RequestBody byte[] body, HttpServletRequest http) {
    return signed(endpoint, body, http, By.KEY, parts.accounts()::register);
  }

  @PostMapping(path = "/account/{id}", consumes = JOSE)
  ResponseEntity<?> update(
      @PathVariable String endpoint,
      @PathVariable String id,
      @RequestBody byte[] body,
      HttpServletRequest http) {
    return signed(endpoint, body, http, By.ACCOUNT, r -> parts.accounts().update(r, id));
  }

  @PostMapping(path = "/account/{id}/orders", consumes = JOSE)
  ResponseEntity<?> orders(
      @PathVariable String endpoint,
      @PathVariable String id,
      @RequestParam(required = false) @Nullable String after,
      @RequestBody byte[] body,
      HttpServletRequest http) {
    return signed(
        endpoint,
        body,
        http,
        By.ACCOUNT,
        r -> parts.orders().list(r, id, Optional.ofNullable(after)));
  }

  @PostMapping(path = "/key-change", consumes = JOSE)
  ResponseEntity<?> keyChange(
      @PathVariable String endpoint, @RequestBody byte[] body, HttpServletRequest http) {
    return signed(endpoint, body, http, By.ACCOUNT, keyChange::change);
  }

  @PostMapping(path = "/new-order", consumes = JOSE)
  ResponseEntity<?> order(
      @PathVariable String endpoint, @RequestBody byte[] body, HttpServletRequest http) {
    return signed(endpoint, body, http, By.ACCOUNT, parts.orders()::order);
  }

  @PostMapping(path = "/order/{id}", consumes = JOSE)
  ResponseEntity<?> showOrder(
      @PathVariable String endpoint,
      @PathVariable String id,
      @RequestBody byte[] body,
      HttpServletRequest http) {
    return signed(endpoint, body, http, By.ACCOUNT, r -> parts.orders().show(r, id));
  }

  @PostMapping(path = "/order/{id}/finalize", consumes = JOSE)
  ResponseEntity<?> finish(
      @PathVariable String endpoint,
      @PathVariable String id,
      @RequestBody byte[] body,
      HttpServletRequest http) {
    return signed(endpoint, body, http, By.ACCOUNT, r -> parts.finalization().finish(r, id));
  }

  @PostMapping(path = "/authorization/{id}", consumes = JOSE)
  ResponseEntity<?> authorization(
      @PathVariable String endpoint,
      @PathVariable String id,
      @RequestBody byte[] body,
      HttpServletRequest http) {
    return signed(endpoint, body, http, By.ACCOUNT, r -> parts.authorizations().show(r, id));
  }

  @PostMapping(path = "/challenge/{id}/{method}", consumes = JOSE)
  ResponseEntity<?> challenge(
      @PathVariable String endpoint,
      @PathVariable String id,
      @PathVariable String method,
      @RequestBody byte[] body,
      HttpServletRequest http) {
    return signed(
        endpoint, body, http, By.ACCOUNT, r -> parts.authorizations().challenge(r, id, method));
  }

  @PostMapping(path = "/certificate/{id}", consumes = JOSE)
  ResponseEntity<?> certificate(
      @PathVariable String endpoint,
      @PathVariable String id,
      @RequestBody byte[] body,
      HttpServletRequest http) {
    return signed(endpoint, body, http, By.ACCOUNT, r -> parts.orders().certificate(r, id));
  }

  @PostMapping(path = "/revoke-cert", consumes = JOSE)
  ResponseEntity<?> revoke(
      @PathVariable String endpoint, @RequestBody byte[] body, HttpServletRequest http) {
    return signed(
        endpoint,
        body,
        http,
        By.EITHER,
        r -> {
          parts.revocations().revoke(r);
          return ResponseEntity.ok().build();
        });
  }

  private ResponseEntity<?> signed(
      String name, byte[] body, HttpServletRequest http, By by, Act act) {
    AcmeEndpoint endpoint = find(name);
    String query = http.getQueryString();
    String path = http.getRequestURI() + (query == null ? "" : "?" + query);
    String outcome = "failed";
    try {
      String remote = http.getRemoteAddr();
      ResponseEntity<?> answer =
          act.answer(parts.requests().verify(endpoint, remote, path, body, by));
      outcome = "ok";
      return ResponseEntity.status(answer.getStatusCode())
          .headers(headers(endpoint, answer.getHeaders()))
          .body(answer.getBody());
    } catch (AcmeProblem e) {
      outcome = e.type().text();
      throw e;
    } catch (JsonException e) {
      outcome = AcmeError.MALFORMED.text();
      throw new AcmeProblem(AcmeError.MALFORMED, "the payload: " + e.fault());
    } finally {
      registry
          .counter("ca.acme.requests", "endpoint", endpoint.name().value(), "outcome", outcome)
          .increment();
    }
  }

  private AcmeEndpoint find(String name) {
    return parts
        .endpoints()
        .find(name)
        .orElseThrow(
            () -> AcmeProblem.of(AcmeError.MALFORMED, 404, "there is no such endpoint here", null));
  }

  private HttpHeaders headers(AcmeEndpoint endpoint, HttpHeaders own) {
    HttpHeaders all = headers.of(endpoint);
    own.forEach((name, values) -> all.addAll(name, values));
    return all;
  }

  @ExceptionHandler
  ResponseEntity<Object> problem(AcmeProblem problem, HttpServletRequest http) {
    ResponseEntity.BodyBuilder answer = ResponseEntity.status(problem.status());
    answer.headers(headers.ofError(http));
    problem
        .retryAfter()
        .ifPresent(wait -> answer.header(HttpHeaders.RETRY_AFTER, AcmeAnswer.seconds(wait)));
    problem.location().ifPresent(at -> answer.header(HttpHeaders.LOCATION, at));
    return answer.contentType(MediaType.APPLICATION_PROBLEM_JSON).body(AcmeAnswer.problem(problem));
  }

  @ExceptionHandler
  ResponseEntity<Object> unavailable(
      CaUnavailable e, HttpServletRequest http, HttpServletResponse response) {
    return problem(
        AcmeProblem.unavailable(
            "the database or the HSM does not answer: ask again", UNAVAILABLE_RETRY),
        http);
  }
}
