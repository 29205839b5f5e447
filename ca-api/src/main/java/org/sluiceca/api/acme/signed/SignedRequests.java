package org.sluiceca.api.acme.signed;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.nonce.Nonces;
import org.sluiceca.api.acme.signed.SignedRequest.SignedBy;
import org.sluiceca.api.http.sender.SenderNetworks;
import org.sluiceca.api.platform.share.FairSlots;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Jws;
import org.sluiceca.core.wire.jws.JwsAlgorithm;
import org.sluiceca.core.wire.jws.JwsException;
import org.sluiceca.core.wire.jws.PublicJwk;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Verifies signed requests (RFC 8555 6.2 to 6.5), what is cheap first: the form, the URL, whether
 * the nonce is ours, the signature, and at last whether the nonce was spent and what the account is
 * now. Any client may send any number of bad ones: each costs one look-up and one verification at
 * most (one more where the account has changed its key), in a bounded number of slots. Networks
 * that send at once are served in turn, whichever endpoints they ask, so that bad requests from one
 * delay those from another by one verification. Thread-safe; blocks for a statement, or for two of
 * an account that this node does not know.
 */
public final class SignedRequests {

  /** The longest request in octets: a CSR of 64 KB is longer in base64 than a body may be. */
  private static final int OCTETS_MAX = 64 * 1024;

  /** RSA keys below are not worth an account. */
  private static final int RSA_BITS_MIN = 2048;

  private static final int AT_ONCE = 8;

  /** One network alone gets half of them, at all endpoints together. */
  private static final int WAITING_MAX = 128;

  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final AcmeUrls urls;
  private final Nonces nonces;
  private final AccountStore accounts;
  private final SignatureVerifier verifier;
  private final SenderNetworks networks;
  private final KnownKeys known = new KnownKeys();
  private final FairSlots<Sender> turns = new FairSlots<>(AT_ONCE, AT_ONCE + WAITING_MAX);

  public SignedRequests(
      AcmeUrls urls,
      Nonces nonces,
      AccountStore accounts,
      SignatureVerifier verifier,
      SenderNetworks networks) {
    this.urls = urls;
    this.nonces = nonces;
    this.accounts = accounts;
    this.verifier = verifier;
    this.networks = networks;
  }

  /** How a request may be signed. */
  public enum By {
    ACCOUNT,
    KEY,
    EITHER
  }

  /**
   * Verifies a request.
   *
   * @param remote the address of its connection
   * @param path and query of its URL, as it was sent
   * @throws AcmeProblem if it does not verify
   */
  public SignedRequest verify(
      AcmeEndpoint endpoint, String remote, String path, byte[] body, By by) {
    Jws jws;
    try {
      jws = Jws.read(body, OCTETS_MAX);
    } catch (JwsException e) {
      throw problem(e);
    }
    requireUrl(jws, path);
    requireSigner(jws, by);
    Nonces.Genuine nonce =
        jws.nonce()
            .flatMap(nonces::genuine)
            .orElseThrow(
                () ->
                    new AcmeProblem(
                        AcmeError.BAD_NONCE,
                        "the nonce is missing, not from here or too old: take that of this"
                            + " answer"));
    Sender sender = Sender.of(endpoint.name(), networks.of(remote));
    return inTurn(
        sender,
        () -> {
          SignedBy signedBy = verified(endpoint, jws, nonce);
          return new SignedRequest(endpoint, sender, jws, payload(jws), signedBy);
        });
  }

  private void requireUrl(Jws jws, String path) {
    String url = urls.service() + path;
    if (!jws.url().equals(url)) {
      throw new AcmeProblem(
          AcmeError.UNAUTHORIZED, "the signed url is not that of the request, which is " + url);
    }
  }

  private static void requireSigner(Jws jws, By by) {
    boolean isKey = jws.signer() instanceof Jws.Signer.Key;
    if ((by == By.ACCOUNT && isKey) || (by == By.KEY && !isKey)) {
      throw new AcmeProblem(
          AcmeError.MALFORMED,
          isKey
              ? "this request is signed by an account: kid, not jwk"
              : "this request is signed by a key: jwk, not kid");
    }
  }

  private SignedBy verified(AcmeEndpoint endpoint, Jws jws, Nonces.Genuine nonce) {
    return switch (jws.signer()) {
      case Jws.Signer.Key(PublicJwk jwk) -> {
        requireSignature(jws, jwk.key());
        requireUnspent(nonces.spend(nonce));
        yield new SignedBy.Key(jwk);
      }
      case Jws.Signer.Named(String kid) -> {
        RegistrationId id =
            urls.accountOf(endpoint.name(), kid).orElseThrow(SignedRequests::noAccount);
        Account account = current(endpoint.name(), id, jws, nonce);
        if (account.standing().endedAt().isPresent()) {
          throw AcmeProblem.deactivated();
        }
        yield new SignedBy.Of(account.under(endpoint.owner()));
      }
    };
  }

  /** Returns the account as the statement found it that spent the nonce: its key has signed. */
  private Account current(EndpointName endpoint, RegistrationId id, Jws jws, Nonces.Genuine nonce) {
    SubjectPublicKeyInfo signer = signer(endpoint, id, jws);
    AccountStore.Current current =
        accounts
            .spendAndFind(nonce.spending(), endpoint, id)
            .orElseThrow(SignedRequests::noAccount);
    requireUnspent(nonces.noted(nonce, current.isUnspent()));
    if (!current.account().key().equals(signer)) {
      requireSignature(jws, current.account().key());
    }
    known.put(current.account());
    return current.account();
  }

  /**
   * Returns the key that has signed, before a nonce is spent for it: the one that the account had
   * when this node read it last, or else the one that it has.
   */
  private SubjectPublicKeyInfo signer(EndpointName endpoint, RegistrationId id, Jws jws) {
    Optional<SubjectPublicKeyInfo> last = known.find(endpoint, id);
    AcmeProblem fault = unsigned();
    try {
      if (last.isPresent() && jws.isSignedBy(last.get(), verifier)) {
        return last.get();
      }
    } catch (JwsException e) {
      fault = problem(e);
    }
    SubjectPublicKeyInfo now =
        accounts.find(endpoint, id).orElseThrow(SignedRequests::noAccount).key();
    if (last.filter(now::equals).isPresent()) {
      throw fault;
    }
    requireSignature(jws, now);
    return now;
  }

  private static AcmeProblem noAccount() {
    return new AcmeProblem(
        AcmeError.ACCOUNT_DOES_NOT_EXIST, "kid names no account of this endpoint: register again");
  }

  private static void requireUnspent(boolean isUnspent) {
    if (!isUnspent) {
      throw new AcmeProblem(
          AcmeError.BAD_NONCE, "the nonce was used before: take that of this answer");
    }
  }

  private static AcmeProblem unsigned() {
    return new AcmeProblem(AcmeError.MALFORMED, "the signature does not verify by this key");
  }

  /** Requires a signature by {@code key} under a request or a part of one. */
  public void requireSignature(Jws jws, SubjectPublicKeyInfo key) {
    if (key.key() instanceof SubjectPublicKey.Rsa rsa && rsa.bits() < RSA_BITS_MIN) {
      throw new AcmeProblem(
          AcmeError.BAD_PUBLIC_KEY, "an RSA key must have " + RSA_BITS_MIN + " bits or more");
    }
    try {
      if (!jws.isSignedBy(key, verifier)) {
        throw unsigned();
      }
    } catch (JwsException e) {
      throw problem(e);
    }
  }

  private static Optional<JsonObject> payload(Jws jws) {
    if (jws.payload().length() == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(JsonObject.read(jws.payload().octets(), OCTETS_MAX));
    } catch (JsonException e) {
      throw new AcmeProblem(AcmeError.MALFORMED, "the payload: " + e.fault());
    }
  }

  /** Returns the answer to what cannot be read. */
  public static AcmeProblem problem(JwsException e) {
    return switch (e.kind()) {
      case MALFORMED -> new AcmeProblem(AcmeError.MALFORMED, e.fault());
      case ALGORITHM_NOT_SUPPORTED ->
          new AcmeProblem(
              AcmeError.BAD_SIGNATURE_ALGORITHM, e.fault() + " (" + JwsAlgorithm.names() + ")");
      case KEY_NOT_SUPPORTED -> new AcmeProblem(AcmeError.BAD_PUBLIC_KEY, e.fault());
    };
  }

  /**
   * Verifies a signature in what a verified request brings, in one of the same slots, as if it were
   * one more request of its network. Not for work that verifies a request itself.
   *
   * @throws AcmeProblem if too many wait
   */
  public <T> T inTurn(SignedRequest request, Supplier<T> work) {
    return inTurn(request.sender(), work);
  }

  private <T> T inTurn(Sender sender, Supplier<T> work) {
    try {
      if (!turns.begin(sender, WAIT)) {
        throw busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy();
    }
    try {
      return work.get();
    } finally {
      turns.end(sender);
    }
  }

  private static AcmeProblem busy() {
    return AcmeProblem.later("too many requests are verified at once: send it again", RETRY);
  }
}
