package org.sluiceca.core.revoke.bulk;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.RevocationReason;

/**
 * What is wanted: one reason for all that is selected.
 *
 * @param invalidityDate whole seconds, as an entry of a CRL has it (RFC 5280 5.3.2)
 * @param by the officer who wants it
 */
public record BulkRevocation(
    BulkSelection selection,
    RevocationReason reason,
    Optional<Instant> invalidityDate,
    RequesterId by) {

  public BulkRevocation {
    invalidityDate = invalidityDate.map(t -> t.truncatedTo(ChronoUnit.SECONDS));
  }
}
