package org.sluiceca.core.request;

import java.util.Optional;
import org.sluiceca.core.x509.CsrDer;

/**
 * One certificate asked for; nothing in it has been checked but its form.
 *
 * @param isOrder whether its client does not wait for the certificate: if the line has no place for
 *     it, it is recorded all the same, in the backlog of orders
 */
public record EnrollmentRequest(
    Requester requester,
    ProfileName profile,
    CsrDer csr,
    Optional<IdempotencyKey> idempotencyKey,
    Occasion occasion,
    boolean isOrder) {

  /** A request whose client waits. */
  public EnrollmentRequest(
      Requester requester,
      ProfileName profile,
      CsrDer csr,
      Optional<IdempotencyKey> idempotencyKey,
      Occasion occasion) {
    this(requester, profile, csr, idempotencyKey, occasion, false);
  }

  /** A request on no occasion in particular, whose client waits. */
  public EnrollmentRequest(
      Requester requester,
      ProfileName profile,
      CsrDer csr,
      Optional<IdempotencyKey> idempotencyKey) {
    this(requester, profile, csr, idempotencyKey, new Occasion.Single());
  }

  /** Returns the same request of a client that does not wait. */
  public EnrollmentRequest asOrder() {
    return new EnrollmentRequest(requester, profile, csr, idempotencyKey, occasion, true);
  }
}
