package org.sluiceca.api.registration.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A request in JSON.
 *
 * @param id as in the URL of an order of ACME
 * @param account that sent it, as in its URL
 * @param state {@code awaiting} (proofs of names), {@code ready}, {@code processing}, {@code
 *     recorded} (its certificate is an order from then on), {@code refused} or {@code expired}
 * @param replaces the serial number of the certificate whose place it takes
 * @param serial of what was recorded
 * @param proofs that it needs, absent where it needs none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RequestBody(
    String id,
    String endpoint,
    String requester,
    String account,
    String profile,
    List<NameBody> names,
    String state,
    String createdAt,
    String expiresAt,
    @Nullable String replaces,
    @Nullable String serial,
    @Nullable RefusalBody refusal,
    @Nullable List<ProofBody> proofs) {

  /** A name, as orders of ACME have it. */
  record NameBody(String type, String value) {

    static NameBody of(Identifier identifier) {
      return new NameBody(identifier.type(), identifier.value());
    }
  }

  /** Why it came to nothing. */
  record RefusalBody(String reason, String detail) {}

  /**
   * The proof of a name.
   *
   * @param fault why the last attempt failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ProofBody(NameBody name, String status, @Nullable String method, @Nullable String fault) {}

  static RequestBody of(CertificateRequest request, Instant now) {
    return new RequestBody(
        request.id().text(),
        request.endpoint().value(),
        request.requester().value(),
        request.actor().text(),
        request.profile().value(),
        request.identifiers().stream().map(NameBody::of).toList(),
        state(request, now),
        request.createdAt().toString(),
        request.expiresAt().toString(),
        request.replaces().map(SerialNumber::toString).orElse(null),
        request.state() instanceof RequestState.Recorded recorded
            ? recorded.serialNumber().toString()
            : null,
        request.refusal().map(RequestBody::refusal).orElse(null),
        request.state() instanceof RequestState.Awaiting(List<Authorization> proofs)
            ? proofs.stream().map(proof -> proof(request, proof)).toList()
            : null);
  }

  private static String state(CertificateRequest request, Instant now) {
    if (request.refusal().isPresent()) {
      return "refused";
    }
    if (request.isExpired(now)) {
      return "expired";
    }
    return switch (request.state()) {
      case RequestState.Awaiting _ -> "awaiting";
      case RequestState.Ready _ -> "ready";
      case RequestState.Finalized _ -> "processing";
      case RequestState.Recorded _ -> "recorded";
      case RequestState.Refused _ -> "refused";
    };
  }

  private static RefusalBody refusal(Refusal refusal) {
    return new RefusalBody(refusal.kind().stored(), refusal.detail());
  }

  private static ProofBody proof(CertificateRequest request, Authorization proof) {
    return new ProofBody(
        NameBody.of(request.identifiers().get(proof.number())),
        proof.status().name().toLowerCase(Locale.ROOT),
        proof.method().orElse(null),
        proof.fault().map(Authorization.Fault::detail).orElse(null));
  }
}
