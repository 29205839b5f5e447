package org.sluiceca.api.acme.account.service;

import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.acme.signed.SignedRequests;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Jws;
import org.sluiceca.core.wire.jws.JwsException;
import org.sluiceca.core.wire.jws.PublicJwk;
import org.sluiceca.core.x509.OctetString;

/** Verifies external account bindings (RFC 8555 7.3.4). Thread-safe; blocks for a statement. */
public final class AccountBindings {

  /** What {@link org.sluiceca.api.acme.binding.NewBinding} makes. */
  private static final Pattern KID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final BindingStore bindings;
  private final InstantSource clock;

  public AccountBindings(BindingStore bindings, InstantSource clock) {
    this.bindings = bindings;
    this.clock = clock;
  }

  /**
   * Returns the binding that a request for an account holds.
   *
   * @throws AcmeProblem if it holds none, or one that does not bind this key at this endpoint now
   */
  Binding of(SignedRequest request, PublicJwk jwk, JsonObject wanted) throws JsonException {
    JsonObject given =
        wanted
            .optionalObject("externalAccountBinding")
            .orElseThrow(
                () ->
                    new AcmeProblem(
                        AcmeError.EXTERNAL_ACCOUNT_REQUIRED,
                        "this endpoint needs an external account binding: ask its operator for a"
                            + " key identifier and an HMAC key"));
    try {
      Jws jws = Jws.read(given);
      if (!(jws.signer() instanceof Jws.Signer.Named(String kid))
          || !jws.url().equals(request.jws().url())
          || jws.nonce().isPresent()) {
        throw new AcmeProblem(
            AcmeError.MALFORMED,
            "externalAccountBinding has a kid, the url of the request, and no nonce");
      }
      PublicJwk bound =
          PublicJwk.read(JsonObject.read(jws.payload().octets(), jws.payload().length()));
      if (!bound.thumbprint().equals(jwk.thumbprint())) {
        throw new AcmeProblem(AcmeError.MALFORMED, "externalAccountBinding binds another key");
      }
      // The same answer for an unknown name, another endpoint's and a wrong key.
      Binding binding =
          Optional.of(kid)
              .filter(name -> KID.matcher(name).matches())
              .flatMap(bindings::find)
              .filter(found -> isSealed(jws, found.hmacKey()))
              .map(BindingStore.Keyed::binding)
              .filter(found -> found.endpoint().equals(request.endpoint().name()))
              .orElseThrow(
                  () ->
                      new AcmeProblem(
                          AcmeError.UNAUTHORIZED,
                          "the external account binding is unknown here, or its key is another"));
      if (!binding.isValidAt(clock.instant())) {
        throw new AcmeProblem(
            AcmeError.UNAUTHORIZED,
            "the external account binding has expired or was revoked: ask for another");
      }
      return binding;
    } catch (JwsException e) {
      throw SignedRequests.problem(e);
    }
  }

  private static boolean isSealed(Jws jws, OctetString key) {
    try {
      return jws.isSealedBy(key);
    } catch (JwsException e) {
      throw SignedRequests.problem(e);
    }
  }
}
