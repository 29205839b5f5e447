package org.sluiceca.api.acme.order;

import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.challenge.ChallengeLoop;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.endpoint.Proofs;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.registration.store.AuthorizationStore;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.Authorization.Status;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.jws.Base64Url;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/** Authorizations of orders and their challenges (RFC 8555 7.5). Thread-safe. */
public final class AcmeAuthorizations {

  /** A proof that is there is found in less. */
  private static final Duration POLL_AFTER = Duration.ofSeconds(1);

  private static final Duration BUSY_RETRY = Duration.ofSeconds(30);

  private final AcmeUrls urls;
  private final AcmeOrders orders;
  private final AuthorizationStore store;
  private final ChallengeLoop loop;
  private final InstantSource clock;

  public AcmeAuthorizations(
      AcmeUrls urls,
      AcmeOrders orders,
      AuthorizationStore store,
      ChallengeLoop loop,
      InstantSource clock) {
    this.urls = urls;
    this.orders = orders;
    this.store = store;
    this.loop = loop;
    this.clock = clock;
  }

  /** One name of an order of the account, with its proof if it needs one. */
  private record Name(CertificateRequest order, int number, Optional<Authorization> proof) {

    Identifier identifier() {
      return order.identifiers().get(number);
    }

    Status status() {
      return proof.map(Authorization::status).orElse(Status.VALID);
    }
  }

  /** Shows an authorization, or gives it up. */
  public ResponseEntity<Object> show(SignedRequest request, String id) throws JsonException {
    Name name = name(request, id);
    if (request.payload().isEmpty()) {
      return answer(request.endpoint(), name);
    }
    if (!request.object().text("status").equals("deactivated")) {
      throw new AcmeProblem(AcmeError.MALFORMED, "status can be set to deactivated alone");
    }
    if (name.proof().isEmpty()) {
      throw new AcmeProblem(
          AcmeError.MALFORMED, "an authorization by an external account binding cannot be changed");
    }
    store.deactivate(name.order().id(), name.number());
    return answer(request.endpoint(), name(request, id));
  }

  /** Shows a challenge; with a payload its client says that the proof is there. */
  public ResponseEntity<Object> challenge(SignedRequest request, String id, String text) {
    Name asked = name(request, id);
    Method method =
        Method.parse(text)
            .filter(m -> asked.proof().isPresent())
            .filter(methods(request.endpoint(), asked)::contains)
            .orElseThrow(OrderAnswers::notFound);
    Name name =
        request.payload().isPresent() && asked.status() == Status.PENDING
            ? begun(request, asked, method)
            : asked;
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.ok()
            .header(
                HttpHeaders.LINK,
                "<"
                    + urls.authorization(name.order().endpoint(), name.order().id(), name.number())
                    + ">;rel=\"up\"");
    if (name.status() == Status.PROCESSING) {
      answer.header(HttpHeaders.RETRY_AFTER, AcmeAnswer.seconds(POLL_AFTER));
    }
    return answer.body(challenge(request.endpoint(), name, method));
  }

  private Name begun(SignedRequest request, Name name, Method method) {
    if (name.order().isExpired(clock.instant())) {
      throw new AcmeProblem(AcmeError.MALFORMED, "the order has expired: make another one");
    }
    String thumbprint = Base64Url.encode(request.account().thumbprint().octets());
    if (store.begin(name.order(), name.number(), method.text(), thumbprint, clock.instant())) {
      loop.wake();
    }
    Optional<Authorization> now = proof(name.order().id(), name.number());
    if (now.filter(proof -> proof.status() == Status.PENDING).isPresent()) {
      throw AcmeProblem.later(
          "too many challenges of this account are looked at: wait for some of them", BUSY_RETRY);
    }
    return new Name(name.order(), name.number(), now);
  }

  /** Reads {@code order.number}. */
  private Name name(SignedRequest request, String id) {
    int dot = id.indexOf('.');
    if (dot < 0 || !id.substring(dot + 1).matches("[0-9]{1,2}")) {
      throw OrderAnswers.notFound();
    }
    CertificateRequest order = orders.own(request, id.substring(0, dot));
    int number = Integer.parseInt(id.substring(dot + 1));
    if (number >= order.identifiers().size()) {
      throw OrderAnswers.notFound();
    }
    return new Name(order, number, proof(order.id(), number));
  }

  private Optional<Authorization> proof(RegistrationId order, int number) {
    return store.of(order).stream().filter(proof -> proof.number() == number).findFirst();
  }

  private static List<Method> methods(AcmeEndpoint endpoint, Name name) {
    return endpoint.proofs().map(proofs -> proofs.of(name.identifier())).orElse(List.of());
  }

  private ResponseEntity<Object> answer(AcmeEndpoint endpoint, Name name) {
    Map<String, Object> body = new LinkedHashMap<>();
    Identifier base = Proofs.base(name.identifier());
    body.put("identifier", Map.of("type", base.type(), "value", base.value()));
    body.put("status", status(name));
    body.put("expires", name.order().expiresAt().truncatedTo(ChronoUnit.SECONDS).toString());
    List<Map<String, Object>> challenges = new ArrayList<>();
    if (name.proof().isPresent()) {
      Optional<String> chosen = name.proof().flatMap(Authorization::method);
      for (Method method : methods(endpoint, name)) {
        if (chosen.isEmpty() || chosen.get().equals(method.text())) {
          challenges.add(challenge(endpoint, name, method));
        }
      }
    }
    body.put("challenges", challenges);
    if (Proofs.isWildcard(name.identifier())) {
      body.put("wildcard", true);
    }
    return name.status() == Status.PROCESSING
        ? ResponseEntity.ok()
            .header(HttpHeaders.RETRY_AFTER, AcmeAnswer.seconds(POLL_AFTER))
            .body(body)
        : AcmeAnswer.json(200, body);
  }

  private String status(Name name) {
    return switch (name.status()) {
      // Not "expired": clients do not all know that word (RFC 8555 7.1.6).
      case PENDING, PROCESSING -> name.order().isExpired(clock.instant()) ? "invalid" : "pending";
      case VALID, INVALID, DEACTIVATED -> name.status().name().toLowerCase(Locale.ROOT);
    };
  }

  private Map<String, Object> challenge(AcmeEndpoint endpoint, Name name, Method method) {
    Authorization proof = name.proof().orElseThrow();
    boolean isChosen = proof.method().filter(method.text()::equals).isPresent();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", method.text());
    body.put(
        "url", urls.challenge(endpoint.name(), name.order().id(), name.number(), method.text()));
    body.put("status", isChosen ? challengeStatus(proof) : "pending");
    if (method == Method.DNS_PERSIST_01) {
      PersistTerms terms = endpoint.proofs().orElseThrow().terms().persist();
      body.put("issuerDomainNames", terms.issuerDomainNames());
      if (terms.clearAccountUri()) {
        // As drafts 00 and 01 had it.
        body.put("accounturi", urls.account(endpoint.name(), name.order().actor()));
        body.put("issuer-domain-names", terms.issuerDomainNames());
      }
    } else {
      body.put("token", proof.token());
    }
    if (isChosen) {
      // A valid challenge must have it (RFC 8555 8).
      proof
          .validatedAt()
          .ifPresent(at -> body.put("validated", at.truncatedTo(ChronoUnit.SECONDS).toString()));
      proof
          .fault()
          .ifPresent(
              fault ->
                  body.put(
                      "error",
                      AcmeAnswer.problem(
                          AcmeError.ofValidation(fault.kind()), 400, fault.detail())));
    }
    return body;
  }

  /** A challenge stays valid when its authorization is deactivated (RFC 8555 7.1.6). */
  private static String challengeStatus(Authorization proof) {
    return switch (proof.status()) {
      case PENDING -> "pending";
      case PROCESSING -> "processing";
      case VALID -> "valid";
      case DEACTIVATED -> proof.validatedAt().isPresent() ? "valid" : "invalid";
      case INVALID -> "invalid";
    };
  }
}
