package org.sluiceca.core.request;

import java.util.Optional;
import org.sluiceca.core.x509.CsrDer;

/** One certificate asked for; nothing in it has been checked but its form. */
public record EnrollmentRequest(
    Requester requester,
    ProfileName profile,
    CsrDer csr,
    Optional<IdempotencyKey> idempotencyKey,
    Occasion occasion) {

  /** A request on no occasion in particular. */
  public EnrollmentRequest(
      Requester requester,
      ProfileName profile,
      CsrDer csr,
      Optional<IdempotencyKey> idempotencyKey) {
    this(requester, profile, csr, idempotencyKey, new Occasion.Single());
  }
}
