package org.sluiceca.api.acme.account.service;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.answer.AcmeAnswer;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.acme.signed.SignedRequests;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Jws;
import org.sluiceca.core.wire.jws.JwsException;
import org.sluiceca.core.wire.jws.PublicJwk;
import org.sluiceca.core.x509.OctetString;
import org.springframework.http.ResponseEntity;

/** Gives accounts other keys (RFC 8555 7.3.5). Thread-safe; blocks for some statements. */
public final class AcmeKeyChange {

  private final AcmeUrls urls;
  private final AccountStore accounts;
  private final AcmeAccounts shown;
  private final SignedRequests requests;
  private final InstantSource clock;

  public AcmeKeyChange(
      AcmeUrls urls,
      AccountStore accounts,
      AcmeAccounts shown,
      SignedRequests requests,
      InstantSource clock) {
    this.urls = urls;
    this.accounts = accounts;
    this.shown = shown;
    this.requests = requests;
    this.clock = clock;
  }

  /** {@code keyChange} (RFC 8555 7.3.5). */
  public ResponseEntity<Object> change(SignedRequest request) throws JsonException {
    Account account = request.account();
    EndpointName endpoint = account.endpoint();
    PublicJwk next;
    JsonObject inner;
    try {
      Jws jws = Jws.read(request.object());
      if (!(jws.signer() instanceof Jws.Signer.Key(PublicJwk jwk))) {
        throw new AcmeProblem(AcmeError.MALFORMED, "the inner JWS is signed by the new key: jwk");
      }
      if (!jws.url().equals(request.jws().url()) || jws.nonce().isPresent()) {
        throw new AcmeProblem(
            AcmeError.MALFORMED, "the inner JWS has the same url as the outer one, and no nonce");
      }
      requests.requireSignature(jws, jwk.key());
      next = jwk;
      inner = JsonObject.read(jws.payload().octets(), jws.payload().length());
      PublicJwk old = PublicJwk.read(inner.object("oldKey"));
      if (!inner.text("account").equals(urls.account(endpoint, account.id()))
          || !AcmeAccounts.thumbprint(old).equals(account.thumbprint())) {
        throw new AcmeProblem(
            AcmeError.MALFORMED, "the inner payload names another account or another old key");
      }
    } catch (JwsException e) {
      throw SignedRequests.problem(e);
    }
    // Before the row of the audit trail, which is never removed.
    requireNoOther(endpoint, AcmeAccounts.thumbprint(next));
    requirePause(account);
    shown.record(account, "change-key");
    if (!accounts.changeKey(account.id(), AcmeAccounts.thumbprint(next), next.key())) {
      requireNoOther(endpoint, AcmeAccounts.thumbprint(next));
      throw tooOften(AccountStore.KEY_CHANGE_PERIOD);
    }
    return AcmeAnswer.json(200, shown.body(account));
  }

  private void requireNoOther(EndpointName endpoint, OctetString thumbprint) {
    Optional<Account> other = accounts.find(endpoint, thumbprint);
    if (other.isPresent()) {
      throw AcmeProblem.of(
          AcmeError.MALFORMED,
          409,
          "another account has the new key",
          urls.account(endpoint, other.get().id()));
    }
  }

  private void requirePause(Account account) {
    Optional<Duration> left =
        account
            .standing()
            .keyChangedAt()
            .map(at -> Duration.between(clock.instant(), at.plus(AccountStore.KEY_CHANGE_PERIOD)))
            .filter(Duration::isPositive);
    if (left.isPresent()) {
      throw tooOften(left.get());
    }
  }

  private static AcmeProblem tooOften(Duration retryAfter) {
    return AcmeProblem.later(
        "the key of this account was changed within "
            + AccountStore.KEY_CHANGE_PERIOD.toMinutes()
            + " minutes: wait",
        retryAfter);
  }
}
