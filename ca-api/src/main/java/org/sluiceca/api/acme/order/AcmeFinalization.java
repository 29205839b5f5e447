package org.sluiceca.api.acme.order;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.acme.signed.SignedRequests;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.registration.store.AuthorizationStore;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.Progress;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.Registration;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.wire.jws.PublicJwk;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.springframework.http.ResponseEntity;

/** Takes the CSRs of orders (RFC 8555 7.4). Thread-safe. */
public final class AcmeFinalization {

  /** How long a client waits on its connection for the certificate, as others do. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final AcmeOrders orders;
  private final AccountStore accounts;
  private final AuthorizationStore proofs;
  private final Registration registration;
  private final OrderAnswers answers;
  private final SignedRequests turns;
  private final CsrVerifier verifier;
  private final AuditTrail trail;

  public AcmeFinalization(
      AcmeOrders orders,
      AccountStore accounts,
      AuthorizationStore proofs,
      Registration registration,
      OrderAnswers answers,
      SignedRequests turns,
      CsrVerifier verifier,
      AuditTrail trail) {
    this.orders = orders;
    this.accounts = accounts;
    this.proofs = proofs;
    this.registration = registration;
    this.answers = answers;
    this.turns = turns;
    this.verifier = verifier;
    this.trail = trail;
  }

  /** {@code finalize}: the CSR is durable when this returns. */
  public ResponseEntity<Object> finish(SignedRequest request, String id) throws JsonException {
    CertificateRequest order = orders.own(request, id);
    boolean isFirst = !(order.state() instanceof RequestState.WithCsr);
    if (isFirst) {
      OrderRules.requireStanding(request);
      OrderRules.requireAllowedStill(
          request.endpoint(), request.account(), order, proofs.of(order.id()));
      orders.renewals().requireFirst(order);
    }
    CsrDer csr =
        Base64Url.decode(request.object().text("csr"))
            .map(CsrDer::of)
            .orElseThrow(() -> new AcmeProblem(AcmeError.MALFORMED, "csr is not base64url"));
    if (isFirst) {
      requireKeyOfItsOwn(csr, request.account());
    }
    if (order.state() instanceof RequestState.Ready) {
      requireProven(csr, request);
    }
    return switch (registration.finalizeBy(order, csr, WAIT)) {
      case Registration.Finalization.Taken(CertificateRequest taken, Progress progress) -> {
        if (isFirst) {
          trail.record(
              new Fact(
                  AuditKind.ACME_ORDER,
                  request.account().actor(),
                  Map.of("order", id, "requester", taken.requester().value())));
        }
        yield answers.of(taken, progress);
      }
      case Registration.Finalization.Refused(Refusal refusal) ->
          throw OrderAnswers.problem(refusal);
      case Registration.Finalization.NotReady(Progress progress) ->
          throw new AcmeProblem(
              AcmeError.ORDER_NOT_READY, "the order is " + OrderAnswers.status(progress));
    };
  }

  /**
   * What is wrong with a CSR under any profile is said before the order takes it, so that its
   * client can send another one (RFC 8555 7.4). The line verifies it again: the order's CSR waits
   * in the database, and what is issued is what the line itself has verified.
   */
  private void requireProven(CsrDer csr, SignedRequest request) {
    Optional<Rejection> fault = turns.inTurn(request, () -> verifier.fault(csr));
    if (fault.isPresent()) {
      throw new AcmeProblem(AcmeError.BAD_CSR, fault.get().detail());
    }
  }

  /**
   * RFC 8555 11.1: the key of an account, this one's or another's, is for nothing else. Each
   * machine that has the certificate's key could act for the account.
   */
  private void requireKeyOfItsOwn(CsrDer csr, Account account) {
    SubjectPublicKeyInfo key;
    try {
      key = CsrReader.read(csr).subjectPublicKeyInfo();
    } catch (DerException e) {
      throw new AcmeProblem(AcmeError.BAD_CSR, "the CSR cannot be read: " + e.fault());
    }
    boolean isOfAnAccount =
        PublicJwk.thumbprint(key.key())
            .flatMap(Base64Url::decode)
            .map(OctetString::copyOf)
            .flatMap(thumbprint -> accounts.find(account.endpoint(), thumbprint))
            .isPresent();
    if (isOfAnAccount) {
      throw new AcmeProblem(
          AcmeError.BAD_CSR, "the CSR has the key of an account: make one for the certificate");
    }
  }
}
