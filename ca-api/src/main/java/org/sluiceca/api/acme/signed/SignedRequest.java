package org.sluiceca.api.acme.signed;

import java.util.Optional;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Jws;
import org.sluiceca.core.wire.jws.PublicJwk;

/**
 * A request whose signature, URL and nonce have been verified.
 *
 * @param payload empty for POST-as-GET
 */
public record SignedRequest(
    AcmeEndpoint endpoint,
    Sender sender,
    Jws jws,
    Optional<JsonObject> payload,
    SignedBy signedBy) {

  /** Who signed. */
  public sealed interface SignedBy {

    /** An account that goes on, under its endpoint's owner of now. */
    public record Of(Account account) implements SignedBy {}

    /** The key in the request. */
    public record Key(PublicJwk jwk) implements SignedBy {}
  }

  /** Returns the account; a request by a key alone is refused. */
  public Account account() {
    return switch (signedBy) {
      case SignedBy.Of(Account account) -> account;
      case SignedBy.Key _ ->
          throw new AcmeProblem(
              AcmeError.MALFORMED, "this request is signed by an account: kid, not jwk");
    };
  }

  /** Requires POST-as-GET (RFC 8555 6.3). */
  public void requireNoPayload() {
    if (payload.isPresent()) {
      throw new AcmeProblem(
          AcmeError.MALFORMED, "this URL is read: its request has an empty payload");
    }
  }

  /** Returns the payload; POST-as-GET is refused. */
  public JsonObject object() {
    return payload.orElseThrow(
        () -> new AcmeProblem(AcmeError.MALFORMED, "this request needs a payload, a JSON object"));
  }
}
