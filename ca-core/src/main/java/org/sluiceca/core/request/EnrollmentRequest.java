package org.sluiceca.core.request;

import java.util.Optional;
import org.sluiceca.core.x509.CsrDer;

/** One certificate asked for; nothing in it has been checked but its form. */
public record EnrollmentRequest(
    Requester requester,
    ProfileName profile,
    CsrDer csr,
    Optional<IdempotencyKey> idempotencyKey) {}
