package org.sluiceca.core.revoke;

import java.util.Optional;

/**
 * What the events of a certificate have come to.
 *
 * @param events how many there are; the next one has this number plus one
 * @param revocation what the last one says; empty if the certificate is not revoked
 */
public record RevocationStatus(int events, Optional<Revocation> revocation) {

  /** Nothing was ever decided. */
  public static final RevocationStatus NEVER_REVOKED = new RevocationStatus(0, Optional.empty());
}
