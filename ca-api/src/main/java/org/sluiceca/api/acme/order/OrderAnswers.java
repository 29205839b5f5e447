package org.sluiceca.api.acme.order;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.renewal.AcmeRenewals;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.Progress;
import org.sluiceca.core.registration.Refusal;
import org.springframework.http.ResponseEntity;

/** Shows orders to their accounts (RFC 8555 7.1.3). Thread-safe; blocks for a statement. */
public final class OrderAnswers {

  private final AcmeUrls urls;
  private final AcmeRenewals renewals;

  public OrderAnswers(AcmeUrls urls, AcmeRenewals renewals) {
    this.urls = urls;
    this.renewals = renewals;
  }

  static AcmeProblem notFound() {
    return AcmeProblem.of(AcmeError.MALFORMED, 404, "this account has nothing at this URL", null);
  }

  private String location(CertificateRequest order) {
    return urls.order(order.endpoint(), order.id());
  }

  /** Returns an order as it is now. */
  ResponseEntity<Object> of(CertificateRequest order, Progress progress) {
    return progress instanceof Progress.Processing(Duration pollAfter)
        ? AcmeAnswer.pending(location(order), body(order, progress), pollAfter)
        : AcmeAnswer.at(location(order), 200, body(order, progress));
  }

  /** Returns an order that was just made. */
  ResponseEntity<Object> created(CertificateRequest order, Progress progress) {
    return AcmeAnswer.at(location(order), 201, body(order, progress));
  }

  private Map<String, Object> body(CertificateRequest order, Progress progress) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", status(progress));
    body.put("expires", order.expiresAt().truncatedTo(ChronoUnit.SECONDS).toString());
    body.put(
        "identifiers",
        order.identifiers().stream()
            .map(identifier -> Map.of("type", identifier.type(), "value", identifier.value()))
            .toList());
    body.put("profile", order.profile().value());
    order.replaces().flatMap(renewals::identifier).ifPresent(id -> body.put("replaces", id));
    List<String> authorizations = new ArrayList<>();
    for (int number = 0; number < order.identifiers().size(); number++) {
      authorizations.add(urls.authorization(order.endpoint(), order.id(), number));
    }
    body.put("authorizations", authorizations);
    body.put("finalize", urls.finalizing(order.endpoint(), order.id()));
    switch (progress) {
      case Progress.Issued _ ->
          body.put("certificate", urls.certificate(order.endpoint(), order.id()));
      case Progress.Refused(Refusal refusal) ->
          body.put(
              "error",
              AcmeAnswer.problem(type(refusal), problem(refusal).status(), refusal.detail()));
      case Progress.Expired _ ->
          body.put("error", AcmeAnswer.problem(AcmeError.MALFORMED, 400, "no CSR came in time"));
      case Progress.Awaiting _, Progress.Ready _, Progress.Processing _ -> {
        // Nothing more to say.
      }
    }
    return body;
  }

  static String status(Progress progress) {
    return switch (progress) {
      case Progress.Awaiting _ -> "pending";
      case Progress.Ready _ -> "ready";
      case Progress.Processing _ -> "processing";
      case Progress.Issued _ -> "valid";
      case Progress.Refused _, Progress.Expired _ -> "invalid";
    };
  }

  static AcmeProblem problem(Refusal refusal) {
    return new AcmeProblem(type(refusal), refusal.detail());
  }

  private static AcmeError type(Refusal refusal) {
    return switch (refusal.kind()) {
      case BAD_CSR -> AcmeError.BAD_CSR;
      case NOT_ALLOWED, NOT_PROVEN -> AcmeError.UNAUTHORIZED;
      case GIVEN_UP -> AcmeError.SERVER_INTERNAL;
    };
  }
}
