package org.sluiceca.core.ocsp;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.der.CertStatus;
import org.sluiceca.core.der.OcspResponseFields;
import org.sluiceca.core.der.OcspResponseFields.Single;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.der.OcspResponseWriter;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.OctetString;

/**
 * Has responses signed, and checks each signature under the key of the certificate that goes with
 * it. Thread-safe; blocks as {@link IssuerSigner} does.
 */
public final class ResponseIssuance {

  /**
   * Whose share of {@link Lane#STATUS} it is: CRLs have another, so neither waits for the other.
   */
  public static final RequesterId REQUESTER = new RequesterId("sluice.ocsp");

  /** A tenth of the lifetime is left to clients whose clocks or proxies are behind. */
  private static final int SPARE_PART = 10;

  private final IssuerSigner signer;
  private final SignatureVerifier signatures;
  private final InstantSource clock;
  private final Duration lifetime;
  private final ClockSkew skew;

  /** Signs with the standard allowance for late clocks. */
  public ResponseIssuance(
      IssuerSigner signer, SignatureVerifier signatures, InstantSource clock, Duration lifetime) {
    this(signer, signatures, clock, lifetime, ClockSkew.STANDARD);
  }

  /**
   * Signs by {@code signer}.
   *
   * @param lifetime from producedAt to nextUpdate, whole seconds
   * @param skew how far thisUpdate lies before producedAt
   */
  public ResponseIssuance(
      IssuerSigner signer,
      SignatureVerifier signatures,
      InstantSource clock,
      Duration lifetime,
      ClockSkew skew) {
    this.skew = skew;
    this.signer = signer;
    this.signatures = signatures;
    this.clock = clock;
    this.lifetime = lifetime;
  }

  /**
   * Signs one response.
   *
   * @param standings what is true of each certificate, in the order of the request; none of them
   *     {@link Standing.Unanswered}
   * @param nonce the nonce that it is to repeat; such a response answers no other request
   * @throws org.sluiceca.core.failure.CaUnavailable if there is no signature, or a wrong one; a
   *     retry is safe
   */
  public Reply issue(
      Responder responder,
      Map<CertId, Standing> standings,
      boolean isExtendedRevoke,
      Optional<OctetString> nonce,
      Deadline signBy) {
    Instant producedAt = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant end = responder.validity().notAfter();
    if (!producedAt.isBefore(end) || producedAt.isBefore(responder.validity().notBefore())) {
      return new Reply.Refused(OcspResponseStatus.INTERNAL_ERROR);
    }
    // After its certificate's notAfter no client would trust the responder.
    Instant wanted = producedAt.plus(lifetime);
    Instant nextUpdate = wanted.isAfter(end) ? end : wanted;
    Instant thisUpdate = skew.since(producedAt, responder.validity().notBefore());
    List<Single> singles =
        standings.entrySet().stream()
            .map(e -> single(e.getKey(), e.getValue(), thisUpdate, nextUpdate))
            .toList();
    UnsignedResponse unsigned =
        new UnsignedResponse(
            responder,
            OcspResponseWriter.responseData(
                new OcspResponseFields(
                    responder.keyHash(), producedAt, singles, nonce, isExtendedRevoke)));
    OctetString signature = signed(responder, unsigned, signBy);
    boolean isSingle = singles.size() == 1;
    return new Reply.Signed(
        OcspResponseWriter.assemble(
            unsigned.toBeSigned(),
            unsigned.signatureAlgorithm(),
            signature,
            responder.certificate()),
        isSingle ? kind(singles.getFirst().status()) : Reply.Kind.SEVERAL,
        thisUpdate,
        nextUpdate,
        nextUpdate.minus(Duration.between(producedAt, nextUpdate).dividedBy(SPARE_PART)),
        isSingle && nonce.isEmpty() && !isPending(standings),
        standings.values().stream().anyMatch(s -> s instanceof Standing.NeverIssued));
  }

  /**
   * Returns whether a certificate is about to be issued: it is good a second later, and no event
   * notifies the caches.
   */
  private static boolean isPending(Map<CertId, Standing> standings) {
    return standings.values().stream()
        .anyMatch(s -> s instanceof Standing.NeverIssued never && never.isPending());
  }

  private OctetString signed(Responder responder, UnsignedResponse unsigned, Deadline signBy) {
    OctetString signature =
        signer.sign(unsigned, new SignSchedule(Lane.STATUS, REQUESTER, signBy, signBy));
    PostSignCheck check =
        new PostSignCheck(key -> Optional.of(responder.subjectPublicKeyInfo()), signatures);
    CheckedSignature checked = check.check(unsigned, signature);
    return checked.signature();
  }

  private static Single single(
      CertId id, Standing standing, Instant thisUpdate, Instant nextUpdate) {
    return switch (standing) {
      case Standing.Recorded(CertStatus status, Optional<Instant> cutoff) ->
          new Single(id, status, thisUpdate, nextUpdate, cutoff);
      case Standing.NeverIssued(CertStatus status, boolean isPending) ->
          new Single(id, status, thisUpdate, nextUpdate, Optional.empty());
      case Standing.Unanswered unanswered -> {
        Invariant.check(false, "an unanswered certificate is in no response");
        throw new IllegalStateException("unreachable");
      }
    };
  }

  private static Reply.Kind kind(CertStatus status) {
    return switch (status) {
      case CertStatus.Good good -> Reply.Kind.GOOD;
      case CertStatus.Revoked revoked -> Reply.Kind.REVOKED;
      case CertStatus.Unknown unknown -> Reply.Kind.UNKNOWN;
    };
  }
}
