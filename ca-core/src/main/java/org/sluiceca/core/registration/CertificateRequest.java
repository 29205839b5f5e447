package org.sluiceca.core.registration;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A request that exists before its intent. Immutable; a {@link RequestStore} holds what is true.
 *
 * @param endpoint through which it came
 * @param requester whose share, quota and profiles it uses
 * @param actor the account that sent it, below its requester
 * @param identifiers the names of the certificate, exactly these, 1 to 100
 * @param expiresAt when it ends unless its CSR was sent
 * @param replaces the certificate whose place it takes, of the same requester or actor and with one
 *     of its identifiers at least; empty if it takes no place
 */
public record CertificateRequest(
    RegistrationId id,
    EndpointName endpoint,
    RequesterId requester,
    RegistrationId actor,
    ProfileName profile,
    List<Identifier> identifiers,
    Instant createdAt,
    Instant expiresAt,
    Optional<SerialNumber> replaces,
    RequestState state) {

  /** Copies the identifiers. */
  public CertificateRequest {
    identifiers = List.copyOf(identifiers);
  }

  /** Returns whether its time was over at {@code now}, without a CSR. */
  public boolean isExpired(Instant now) {
    return !(state instanceof RequestState.WithCsr) && !now.isBefore(expiresAt);
  }

  /**
   * Returns why the request came to nothing: it was refused, or the proof of one of its names was
   * not found or was given up.
   */
  public Optional<Refusal> refusal() {
    return switch (state) {
      case RequestState.Refused(var _, Refusal refusal) -> Optional.of(refusal);
      case RequestState.Awaiting awaiting -> awaiting.over().map(this::unproven);
      default -> Optional.empty();
    };
  }

  private Refusal unproven(Authorization name) {
    return new Refusal(
        Refusal.Kind.NOT_PROVEN,
        identifiers.get(name.number()).value()
            + " was not proven: "
            + name.fault().map(Authorization.Fault::detail).orElse("its client gave it up"));
  }

  /** Returns the same request in another state. */
  public CertificateRequest in(RequestState next) {
    return new CertificateRequest(
        id, endpoint, requester, actor, profile, identifiers, createdAt, expiresAt, replaces, next);
  }
}
