package org.sluiceca.api.acme.order;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.renewal.AcmeRenewals;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.certificate.CertificateAnswer;
import org.sluiceca.api.registration.FreshId;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.PostgresRequestStore.Place;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.Progress;
import org.sluiceca.core.registration.Registration;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/** Orders: made, shown and listed (RFC 8555 7.4, 7.1.2.1). Thread-safe. */
public final class AcmeOrders {

  /** RFC 8555 7.1.3: after it an order without a CSR is invalid. */
  private static final Duration LIFE = Duration.ofHours(24);

  private static final int PAGE = 100;

  private final AcmeUrls urls;
  private final NewOrders orders;
  private final PostgresRequestStore store;
  private final Registration registration;
  private final AcmeRenewals renewals;
  private final OrderAnswers answers;
  private final CertificateAnswer certificates;
  private final InstantSource clock;

  public AcmeOrders(
      AcmeUrls urls,
      NewOrders orders,
      PostgresRequestStore store,
      Registration registration,
      AcmeRenewals renewals,
      OrderAnswers answers,
      CertificateAnswer certificates,
      InstantSource clock) {
    this.urls = urls;
    this.orders = orders;
    this.store = store;
    this.registration = registration;
    this.renewals = renewals;
    this.answers = answers;
    this.certificates = certificates;
    this.clock = clock;
  }

  /** {@code newOrder}: within the name space of the binding it is ready at once. */
  public ResponseEntity<Object> order(SignedRequest request) throws JsonException {
    Account account = request.account();
    OrderRules.requireStanding(request);
    JsonObject wanted = request.object();
    for (String name : List.of("notBefore", "notAfter")) {
      if (wanted.optionalText(name).isPresent()) {
        throw new AcmeProblem(
            AcmeError.MALFORMED, name + " is not supported: the profile decides; leave it out");
      }
    }
    OrderIdentifiers identifiers = OrderIdentifiers.read(wanted);
    Optional<String> replaces = wanted.optionalText("replaces");
    List<Authorization> proofs = OrderRules.proofs(request.endpoint(), account, identifiers);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    CertificateRequest order =
        new CertificateRequest(
            FreshId.next(),
            request.endpoint().name(),
            account.requester(),
            account.id(),
            OrderRules.profile(request.endpoint(), account, wanted),
            identifiers.identifiers(),
            now,
            now.plus(LIFE),
            replaces.isPresent()
                ? renewals.replaced(replaces.get(), account, identifiers.identifiers())
                : Optional.empty(),
            proofs.isEmpty() ? new RequestState.Ready() : new RequestState.Awaiting(proofs));
    orders.add(order, account);
    return answers.created(order, registration.progress(order));
  }

  /** An order of the account, as it is now. */
  public ResponseEntity<Object> show(SignedRequest request, String id) {
    CertificateRequest order = own(request, id);
    return answers.of(order, registration.progress(order));
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
    throw OrderAnswers.notFound();
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
        .orElseThrow(OrderAnswers::notFound);
  }
}
