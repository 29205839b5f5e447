package org.sluiceca.api.acme.revocation;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.signed.SignedRequest;
import org.sluiceca.api.acme.signed.SignedRequest.SignedBy;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.registration.store.AuthorizationStore;
import org.sluiceca.api.registration.store.RequestsBySerial;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.RevocationResult;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.wire.jws.PublicJwk;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Revocation (RFC 8555 7.6): by the account that ordered the certificate, by one of the same
 * requester whose binding covers all its names or that has proven them in orders which have not
 * expired, or by the certificate's own key. Thread-safe.
 */
public final class AcmeRevocations {

  /** What a subscriber may say; the others are the CA's (RFC 5280 5.3.1). */
  private static final List<RevocationReason> REASONS =
      List.of(
          RevocationReason.UNSPECIFIED,
          RevocationReason.KEY_COMPROMISE,
          RevocationReason.AFFILIATION_CHANGED,
          RevocationReason.SUPERSEDED,
          RevocationReason.CESSATION_OF_OPERATION);

  private final Ledger ledger;
  private final AccountStore accounts;
  private final RequestsBySerial requests;
  private final AuthorizationStore proofs;
  private final RevocationStore revocations;
  private final Revoker revoker;
  private final AuditTrail trail;
  private final InstantSource clock;

  public AcmeRevocations(
      Ledger ledger,
      AccountStore accounts,
      RequestsBySerial requests,
      AuthorizationStore proofs,
      RevocationStore revocations,
      Revoker revoker,
      AuditTrail trail,
      InstantSource clock) {
    this.ledger = ledger;
    this.accounts = accounts;
    this.requests = requests;
    this.proofs = proofs;
    this.revocations = revocations;
    this.revoker = revoker;
    this.trail = trail;
    this.clock = clock;
  }

  /** Revokes the certificate of the payload. */
  public void revoke(SignedRequest request) throws JsonException {
    JsonObject wanted = request.object();
    byte[] octets =
        Base64Url.decode(wanted.text("certificate"))
            .orElseThrow(
                () -> new AcmeProblem(AcmeError.MALFORMED, "certificate is not base64url"));
    RevocationReason reason = reason(wanted.optionalInteger("reason"));
    LedgerEntry entry = entry(octets);
    // The same answer whether it is another's or there is none.
    String actor = authorized(request, entry).orElseThrow(AcmeRevocations::notAllowed);
    if (revocations.status(entry.intent().serialNumber()).revocation().isPresent()) {
      throw new AcmeProblem(AcmeError.ALREADY_REVOKED, "the certificate is revoked already");
    }
    trail.recordDurably(
        new Fact(
            AuditKind.CERTIFICATE_REVOKE,
            actor,
            Map.of("serial", entry.intent().serialNumber().hex(), "wish", reason.label())));
    RevocationResult result =
        revoker.revoke(entry, entry.intent().origin().requester(), reason, Optional.empty());
    switch (result) {
      case RevocationResult.Done(var _, boolean isNew) -> {
        if (!isNew) {
          throw new AcmeProblem(AcmeError.ALREADY_REVOKED, "the certificate is revoked already");
        }
      }
      case RevocationResult.Refused(String detail) ->
          throw new AcmeProblem(AcmeError.ALREADY_REVOKED, detail);
      case RevocationResult.Outrun _ ->
          throw AcmeProblem.of(
              AcmeError.SERVER_INTERNAL, 409, "others are deciding about it: ask again", null);
    }
  }

  private LedgerEntry entry(byte[] octets) {
    try {
      byte[] serial =
          CertificateReader.read(CertificateDer.of(octets)).fields().serialNumber().octets();
      if (!SerialNumber.isOfThisLayout(serial)) {
        throw notAllowed();
      }
      return ledger
          .find(SerialNumber.of(serial))
          .filter(
              entry ->
                  entry.certificate().filter(c -> c.equals(CertificateDer.of(octets))).isPresent())
          .orElseThrow(AcmeRevocations::notAllowed);
    } catch (DerException e) {
      throw new AcmeProblem(AcmeError.MALFORMED, "the certificate cannot be read: " + e.fault());
    }
  }

  private Optional<String> authorized(SignedRequest request, LedgerEntry entry) {
    return switch (request.signedBy()) {
      case SignedBy.Key(PublicJwk jwk) ->
          jwk.key().equals(key(entry))
              ? Optional.of("acme-key:" + entry.intent().serialNumber().hex())
              : Optional.empty();
      case SignedBy.Of(Account account) ->
          requests
              .findBySerial(entry.intent().serialNumber())
              .filter(order -> mayRevoke(request.endpoint(), account, order))
              .map(order -> account.actor());
    };
  }

  private boolean mayRevoke(AcmeEndpoint endpoint, Account account, CertificateRequest order) {
    if (order.actor().equals(account.id())) {
      return true;
    }
    if (!order.endpoint().equals(account.endpoint())
        || !owner(endpoint, order).equals(account.requester())
        || account.binding().flatMap(Binding::revokedAt).isPresent()) {
      return false;
    }
    List<Identifier> others =
        order.identifiers().stream().filter(name -> !account.covers(name)).toList();
    return others.isEmpty() || proofs.hasProven(account.id(), others, clock.instant());
  }

  /**
   * Whose the account that ordered is now: its endpoint may have another owner than then. Without a
   * binding and an owner it is as it was with the order.
   */
  private RequesterId owner(AcmeEndpoint endpoint, CertificateRequest order) {
    return accounts
        .find(endpoint.name(), order.actor())
        .filter(account -> account.binding().isPresent() || endpoint.owner().isPresent())
        .map(account -> account.under(endpoint.owner()).requester())
        .orElse(order.requester());
  }

  private static SubjectPublicKeyInfo key(LedgerEntry entry) {
    try {
      return CertificateReader.read(entry.intent().tbsCertificate()).subjectPublicKeyInfo();
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own certificate does not parse", e);
    }
  }

  private static RevocationReason reason(Optional<Long> code) {
    return RevocationReason.ofCode(Math.toIntExact(Math.clamp(code.orElse(0L), -1, 99)))
        .filter(REASONS::contains)
        .orElseThrow(
            () ->
                new AcmeProblem(
                    AcmeError.BAD_REVOCATION_REASON,
                    "reason is one of "
                        + REASONS.stream()
                            .map(r -> r.code() + " (" + r.label() + ")")
                            .collect(Collectors.joining(", "))));
  }

  private static AcmeProblem notAllowed() {
    return new AcmeProblem(
        AcmeError.UNAUTHORIZED,
        "this key or account may not revoke that certificate, or this CA did not issue it");
  }
}
