package org.sluiceca.core.revoke;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.x509.RevocationReason;

/**
 * That a certificate is revoked (RFC 5280 5.1.2.6, 5.3).
 *
 * @param revokedAt revocationDate, whole seconds
 * @param invalidityDate since when the key is known or suspected to be compromised (5.3.2), whole
 *     seconds
 */
public record Revocation(
    RevocationReason reason, Instant revokedAt, Optional<Instant> invalidityDate) {}
