package org.sluiceca.api.acme.account.service;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.account.store.NewAccount;
import org.sluiceca.api.acme.account.store.NewAccountStore;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.acme.signed.SignedRequest.SignedBy;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.registration.FreshId;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.wire.jws.PublicJwk;
import org.sluiceca.core.x509.OctetString;
import org.springframework.http.ResponseEntity;

/** Accounts: made, changed and ended (RFC 8555 7.3). Thread-safe. */
public final class AcmeAccounts {

  private static final Duration ACCOUNT_RETRY = Duration.ofMinutes(10);
  private static final int CONTACTS_MAX = 10;
  private static final int CONTACT_CHARACTERS_MAX = 320;

  /** RFC 8555 7.3: one address, and no header fields; RFC 6068 2: of ASCII. */
  private static final Pattern MAILTO =
      Pattern.compile("mailto:[!-~&&[^,?@]]{1,64}@[!-~&&[^,?@]]{1,253}");

  private static final String DEACTIVATED = "deactivated";

  private final AcmeUrls urls;
  private final AccountStore accounts;
  private final NewAccountStore fresh;
  private final AccountBindings bindings;
  private final AuditTrail trail;

  public AcmeAccounts(
      AcmeUrls urls,
      AccountStore accounts,
      NewAccountStore fresh,
      AccountBindings bindings,
      AuditTrail trail) {
    this.urls = urls;
    this.accounts = accounts;
    this.fresh = fresh;
    this.bindings = bindings;
    this.trail = trail;
  }

  /** {@code newAccount}: the account of the key, made if need be. */
  public ResponseEntity<Object> register(SignedRequest request) throws JsonException {
    PublicJwk jwk = keyOf(request);
    EndpointName endpoint = request.endpoint().name();
    OctetString thumbprint = thumbprint(jwk);
    JsonObject wanted = request.object();
    Optional<Account> known = accounts.find(endpoint, thumbprint);
    if (known.isPresent()) {
      return existing(known.get());
    }
    if (wanted.optionalBoolean("onlyReturnExisting").orElse(false)) {
      throw new AcmeProblem(
          AcmeError.ACCOUNT_DOES_NOT_EXIST, "no account of this endpoint has this key");
    }
    List<String> contacts = contacts(wanted).orElse(List.of());
    Optional<RequesterId> owner = request.endpoint().owner();
    Optional<Binding> binding =
        owner.isPresent() ? Optional.empty() : Optional.of(bindings.of(request, jwk, wanted));
    Optional<String> network = request.sender().network();
    if (!fresh.hasRoom(endpoint, binding.map(Binding::kid))) {
      throw noRoom(binding);
    }
    if (binding.isEmpty() && network.filter(n -> !fresh.hasRoomIn(endpoint, n)).isPresent()) {
      throw AcmeProblem.later(
          "too many accounts were made from " + network.get() + " within an hour", ACCOUNT_RETRY);
    }
    RegistrationId id = FreshId.next();
    trail.recordDurably(
        new Fact(
            AuditKind.ACME_ACCOUNT,
            "acme:" + endpoint.value() + ":" + id.text(),
            Map.of(
                "act", "register",
                "binding", binding.map(Binding::kid).orElse("none"),
                "requester", binding.map(Binding::requester).or(() -> owner).orElseThrow().value(),
                "thumbprint", jwk.thumbprint())));
    NewAccount account = new NewAccount(id, thumbprint, jwk.key(), contacts);
    binding.ifPresentOrElse(
        by -> fresh.add(account, by.kid()),
        () -> fresh.add(account, endpoint, network, owner.orElseThrow()));
    // Of two that register one key at once, both get the account that was first.
    Account made = accounts.find(endpoint, thumbprint).orElseThrow(() -> noRoom(binding));
    return made.id().equals(id)
        ? AcmeAnswer.at(
            urls.account(endpoint, id), 201, made(made, binding.isPresent() ? wanted : null))
        : existing(made);
  }

  /** RFC 8555 7.3.4: a binding that was verified stands in the answer as it came. */
  private Map<String, Object> made(Account account, @Nullable JsonObject bound)
      throws JsonException {
    Map<String, Object> body = body(account);
    if (bound != null) {
      JsonObject binding = bound.object("externalAccountBinding");
      Map<String, String> members = new LinkedHashMap<>();
      for (String member : List.of("protected", "payload", "signature")) {
        members.put(member, binding.text(member));
      }
      body.put("externalAccountBinding", members);
    }
    return body;
  }

  private static AcmeProblem noRoom(Optional<Binding> binding) {
    return binding.isPresent()
        ? new AcmeProblem(
            AcmeError.UNAUTHORIZED,
            "the external account binding makes no account any more: ask for another")
        : AcmeProblem.later("too many accounts were made here within an hour", ACCOUNT_RETRY);
  }

  private ResponseEntity<Object> existing(Account account) {
    if (account.standing().endedAt().isPresent()) {
      throw AcmeProblem.deactivated();
    }
    return AcmeAnswer.at(urls.account(account.endpoint(), account.id()), 200, body(account));
  }

  /** The account itself: shows it, changes its contacts, or ends it. */
  public ResponseEntity<Object> update(SignedRequest request, String id) throws JsonException {
    Account account = request.account();
    if (!account.id().text().equals(id)) {
      throw new AcmeProblem(AcmeError.UNAUTHORIZED, "this is the URL of another account");
    }
    // Clients of several kinds read the account's URL in this answer, too.
    String url = urls.account(account.endpoint(), account.id());
    if (request.payload().isEmpty()) {
      return AcmeAnswer.at(url, 200, body(account));
    }
    JsonObject wanted = request.object();
    // Any other status is ignored (RFC 8555 7.3.2): clients send the whole account back.
    if (wanted.optionalText("status").filter(DEACTIVATED::equals).isPresent()) {
      record(account, "deactivate");
      accounts.end(account.id());
      return AcmeAnswer.at(url, 200, body(account, DEACTIVATED, account.contacts()));
    }
    Optional<List<String>> contacts = contacts(wanted);
    if (contacts.isPresent() && !contacts.get().equals(account.contacts())) {
      accounts.contacts(account.id(), contacts.get());
    }
    return AcmeAnswer.at(url, 200, body(account, "valid", contacts.orElse(account.contacts())));
  }

  /** RFC 8555 7.3: absent is no change, an empty list removes. */
  private static Optional<List<String>> contacts(JsonObject wanted) throws JsonException {
    if (!wanted.names().contains("contact")) {
      return Optional.empty();
    }
    List<String> contacts = wanted.texts("contact", CONTACTS_MAX);
    for (String contact : contacts) {
      if (!contact.startsWith("mailto:")) {
        throw new AcmeProblem(AcmeError.UNSUPPORTED_CONTACT, "a contact is mailto: and an address");
      }
      if (contact.length() > CONTACT_CHARACTERS_MAX || !MAILTO.matcher(contact).matches()) {
        throw new AcmeProblem(AcmeError.INVALID_CONTACT, "a contact is mailto: and one address");
      }
    }
    return Optional.of(contacts);
  }

  private static PublicJwk keyOf(SignedRequest request) {
    if (request.signedBy() instanceof SignedBy.Key(PublicJwk jwk)) {
      return jwk;
    }
    throw new AcmeProblem(AcmeError.MALFORMED, "newAccount is signed by a key: jwk, not kid");
  }

  static OctetString thumbprint(PublicJwk jwk) {
    return OctetString.copyOf(Base64Url.decode(jwk.thumbprint()).orElseThrow());
  }

  /** Writes to the audit trail what an account does, before it is done. */
  void record(Account account, String act) {
    trail.recordDurably(
        new Fact(
            AuditKind.ACME_ACCOUNT,
            account.actor(),
            Map.of("act", act, "requester", account.requester().value())));
  }

  /** Returns an account that goes on, as its client sees it. */
  Map<String, Object> body(Account account) {
    return body(account, "valid", account.contacts());
  }

  private Map<String, Object> body(Account account, String status, List<String> contacts) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", status);
    body.put("contact", contacts);
    body.put("orders", urls.orders(account.endpoint(), account.id()));
    return body;
  }
}
