package org.sluiceca.api.acme.order;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.endpoint.Proofs;
import org.sluiceca.api.acme.renewal.AcmeRenewals;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.registration.FreshId;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.PostgresRequestStore.Place;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.Progress;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.Registration;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.x509.CsrDer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/** Orders and their authorizations (RFC 8555 7.4, 7.5). Thread-safe. */
public final class AcmeOrders {

  /** RFC 8555 7.1.3: after it an order without a CSR is invalid. */
  private static final Duration LIFE = Duration.ofHours(24);

  /** How long a client waits on its connection for the certificate, as others do. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  private static final Duration OPEN_RETRY = Duration.ofMinutes(1);
  private static final int IDENTIFIERS_MAX = 100;
  private static final int PAGE = 100;

  private final AcmeUrls urls;
  private final AccountStore accounts;
  private final PostgresRequestStore store;
  private final Registration registration;
  private final AcmeRenewals renewals;
  private final CertificateAnswer certificates;
  private final AuditTrail trail;
  private final InstantSource clock;

  public AcmeOrders(
      AcmeUrls urls,
      AccountStore accounts,
      PostgresRequestStore store,
      Registration registration,
      AcmeRenewals renewals,
      CertificateAnswer certificates,
      AuditTrail trail,
      InstantSource clock) {
    this.urls = urls;
    this.accounts = accounts;
    this.store = store;
    this.registration = registration;
    this.renewals = renewals;
    this.certificates = certificates;
    this.trail = trail;
    this.clock = clock;
  }

  /** {@code newOrder}: within the name space of the binding it is ready at once. */
  public ResponseEntity<Object> order(SignedRequest request) throws JsonException {
    Account account = request.account();
    requireStanding(request);
    JsonObject wanted = request.object();
    for (String name : List.of("notBefore", "notAfter")) {
      if (wanted.optionalText(name).isPresent()) {
        throw new AcmeProblem(
            AcmeError.MALFORMED, name + " is not supported: the profile decides; leave it out");
      }
    }
    List<Identifier> identifiers = identifiers(wanted);
    Optional<String> replaces = wanted.optionalText("replaces");
    List<Authorization> proofs = proofs(request.endpoint(), account, identifiers);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    CertificateRequest order =
        new CertificateRequest(
            FreshId.next(),
            request.endpoint().name(),
            account.requester(),
            account.id(),
            profile(request.endpoint(), account, wanted),
            identifiers,
            now,
            now.plus(LIFE),
            replaces.isPresent()
                ? renewals.replaced(replaces.get(), account.requester(), identifiers)
                : Optional.empty(),
            proofs.isEmpty() ? new RequestState.Ready() : new RequestState.Awaiting(proofs));
    requireUsed(account);
    if (!store.add(order, account.standing().network())) {
      throw AcmeProblem.later(
          "too many orders without a CSR, of this hour, or refused: of this account, its network or"
              + " all of "
              + account.requester().value()
              + "; finalize them, or wait",
          OPEN_RETRY);
    }
    return AcmeAnswer.at(location(order), 201, body(order, registration.progress(order)));
  }

  /** From its first order on an account is kept; one without a binding may have been removed. */
  private void requireUsed(Account account) {
    if (account.binding().isEmpty()
        && !account.standing().isUsed()
        && !accounts.use(account.id())) {
      throw new AcmeProblem(
          AcmeError.ACCOUNT_DOES_NOT_EXIST, "the account was removed: register again");
    }
  }

  /** An account gets certificates as long as what it was made by stands. */
  private static void requireStanding(SignedRequest request) {
    Optional<Binding> binding = request.account().binding();
    if (binding.flatMap(Binding::revokedAt).isPresent()) {
      throw new AcmeProblem(
          AcmeError.UNAUTHORIZED,
          "the external account binding of this account was revoked: ask for another");
    }
    if (binding.isEmpty() && request.endpoint().owner().isEmpty()) {
      throw new AcmeProblem(
          AcmeError.EXTERNAL_ACCOUNT_REQUIRED,
          "accounts of this endpoint need an external account binding now: register with another"
              + " key");
    }
  }

  private static ProfileName profile(AcmeEndpoint endpoint, Account account, JsonObject wanted)
      throws JsonException {
    Set<ProfileName> allowed = account.binding().map(Binding::profiles).orElse(Set.of());
    Optional<String> named = wanted.optionalText("profile");
    Optional<ProfileName> profile =
        named.isPresent() || allowed.isEmpty()
            ? endpoint.profile(named.orElse(null))
            : endpoint.profiles().stream().filter(allowed::contains).findFirst();
    return profile
        .filter(p -> allowed.isEmpty() || allowed.contains(p))
        .orElseThrow(
            () ->
                new AcmeProblem(
                    AcmeError.INVALID_PROFILE, "this account may not use that profile here"));
  }

  private static List<Identifier> identifiers(JsonObject wanted) throws JsonException {
    Set<Identifier> identifiers = new LinkedHashSet<>();
    for (JsonObject one : wanted.objects("identifiers", IDENTIFIERS_MAX)) {
      String type = one.text("type");
      String value = one.text("value");
      if (!type.equals("dns") && !type.equals("ip")) {
        throw new AcmeProblem(
            AcmeError.UNSUPPORTED_IDENTIFIER, "identifiers are of type dns or ip");
      }
      identifiers.add(
          Identifier.parse(type, value)
              .orElseThrow(
                  () ->
                      new AcmeProblem(
                          AcmeError.REJECTED_IDENTIFIER,
                          type.equals("dns")
                              ? "an identifier is no DNS name: letters, digits and hyphens, and"
                                  + " A-labels (xn--…) for others"
                              : "an identifier is no IP address")));
    }
    if (identifiers.isEmpty()) {
      throw new AcmeProblem(AcmeError.MALFORMED, "identifiers is empty");
    }
    return List.copyOf(identifiers);
  }

  /** The proofs that an order needs; none for names that the account's binding covers. */
  private static List<Authorization> proofs(
      AcmeEndpoint endpoint, Account account, List<Identifier> identifiers) {
    List<Authorization> proofs = new ArrayList<>();
    List<AcmeProblem.Sub> outside = new ArrayList<>();
    for (int number = 0; number < identifiers.size(); number++) {
      Identifier identifier = identifiers.get(number);
      if (account.covers(identifier)) {
        continue;
      }
      if (endpoint.proofs().filter(p -> !p.of(identifier).isEmpty()).isPresent()) {
        proofs.add(Authorization.pending(number, FreshId.next().text()));
      } else {
        outside.add(
            new AcmeProblem.Sub(
                AcmeError.REJECTED_IDENTIFIER,
                identifier.value() + " is outside the names of this account",
                identifier));
      }
    }
    if (!outside.isEmpty()) {
      throw new AcmeProblem(
          AcmeError.REJECTED_IDENTIFIER,
          "this account may have "
              + Stream.concat(
                      account.binding().stream().map(Binding::names),
                      endpoint.proofs().stream().map(Proofs::names))
                  .flatMap(names -> names.patterns().stream())
                  .distinct()
                  .collect(Collectors.joining(", "))
              + ": ask the operator for other names",
          outside);
    }
    return proofs;
  }

  /** An order of the account, as it is now. */
  public ResponseEntity<Object> show(SignedRequest request, String id) {
    CertificateRequest order = own(request, id);
    return answer(order, registration.progress(order));
  }

  /** {@code finalize}: the CSR is durable when this returns. */
  public ResponseEntity<Object> finish(SignedRequest request, String id) throws JsonException {
    CertificateRequest order = own(request, id);
    boolean isFirst = !(order.state() instanceof RequestState.WithCsr);
    if (isFirst) {
      requireStanding(request);
      requireAllowedStill(request, order);
    }
    CsrDer csr =
        Base64Url.decode(request.object().text("csr"))
            .map(CsrDer::of)
            .orElseThrow(() -> new AcmeProblem(AcmeError.MALFORMED, "csr is not base64url"));
    requireKeyOfItsOwn(csr, request.account());
    return switch (registration.finalizeBy(order, csr, WAIT)) {
      case Registration.Finalization.Taken(CertificateRequest taken, Progress progress) -> {
        if (isFirst) {
          trail.record(
              new Fact(
                  AuditKind.ACME_ORDER,
                  request.account().actor(),
                  Map.of("order", id, "requester", taken.requester().value())));
        }
        yield answer(taken, progress);
      }
      case Registration.Finalization.Refused(Refusal refusal) -> throw problem(refusal);
      case Registration.Finalization.NotReady(Progress progress) ->
          throw new AcmeProblem(AcmeError.ORDER_NOT_READY, "the order is " + status(progress));
    };
  }

  /** What the endpoint allowed when the order was made may be allowed no longer. */
  private static void requireAllowedStill(SignedRequest request, CertificateRequest order) {
    if (!request.endpoint().profiles().contains(order.profile())) {
      throw new AcmeProblem(
          AcmeError.UNAUTHORIZED,
          "this endpoint no longer has the profile of the order: make another order");
    }
    var _ = proofs(request.endpoint(), request.account(), order.identifiers());
  }

  /** RFC 8555 11.1: the key of an account is for nothing else. */
  private static void requireKeyOfItsOwn(CsrDer csr, Account account) {
    try {
      if (CsrReader.read(csr).subjectPublicKeyInfo().equals(account.key())) {
        throw new AcmeProblem(
            AcmeError.BAD_CSR, "the CSR has the key of the account: make one for the certificate");
      }
    } catch (DerException e) {
      throw new AcmeProblem(AcmeError.BAD_CSR, "the CSR cannot be read: " + e.fault());
    }
  }

  /** Returns what says when certificates are to be renewed. */
  public AcmeRenewals renewals() {
    return renewals;
  }

  /** The certificate of an order with its chain. */
  public ResponseEntity<Object> certificate(SignedRequest request, String id) {
    CertificateRequest order = own(request, id);
    if (registration.progress(order) instanceof Progress.Issued(LedgerEntry entry)) {
      return certificates.write(
          ResponseEntity.ok(),
          CertificateAnswer.PEM_CHAIN,
          entry.intent(),
          entry.certificate().orElseThrow());
    }
    throw notFound();
  }

  /** The list of an account's orders, in pages (RFC 8555 7.1.2.1). */
  public ResponseEntity<Object> list(
      SignedRequest request, String account, Optional<String> after) {
    Account own = request.account();
    if (!own.id().text().equals(account)) {
      throw new AcmeProblem(AcmeError.UNAUTHORIZED, "this is the URL of another account");
    }
    Place last = after.map(id -> own(request, id)).map(Place::of).orElse(Place.FIRST);
    List<Place> page = store.ofActor(own.id(), last, PAGE);
    ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
    if (page.size() == PAGE) {
      answer.header(
          HttpHeaders.LINK,
          "<"
              + urls.orders(own.endpoint(), own.id())
              + "?after="
              + page.getLast().id().text()
              + ">;rel=\"next\"");
    }
    return answer.body(
        Map.of(
            "orders", page.stream().map(place -> urls.order(own.endpoint(), place.id())).toList()));
  }

  /** Returns an order of the account that asks; another's does not exist for it. */
  CertificateRequest own(SignedRequest request, String id) {
    EndpointName endpoint = request.endpoint().name();
    return RegistrationId.parse(id)
        .flatMap(store::find)
        .filter(order -> order.endpoint().equals(endpoint))
        .filter(order -> order.actor().equals(request.account().id()))
        .orElseThrow(AcmeOrders::notFound);
  }

  static AcmeProblem notFound() {
    return AcmeProblem.of(AcmeError.MALFORMED, 404, "this account has nothing at this URL", null);
  }

  private String location(CertificateRequest order) {
    return urls.order(order.endpoint(), order.id());
  }

  private ResponseEntity<Object> answer(CertificateRequest order, Progress progress) {
    return progress instanceof Progress.Processing(Duration pollAfter)
        ? AcmeAnswer.pending(location(order), body(order, progress), pollAfter)
        : AcmeAnswer.at(location(order), 200, body(order, progress));
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

  private static String status(Progress progress) {
    return switch (progress) {
      case Progress.Awaiting _ -> "pending";
      case Progress.Ready _ -> "ready";
      case Progress.Processing _ -> "processing";
      case Progress.Issued _ -> "valid";
      case Progress.Refused _, Progress.Expired _ -> "invalid";
    };
  }

  private static AcmeProblem problem(Refusal refusal) {
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
