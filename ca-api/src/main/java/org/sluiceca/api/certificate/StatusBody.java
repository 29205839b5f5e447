package org.sluiceca.api.certificate;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A certificate's status, as answers show it.
 *
 * @param status revoked or valid
 * @param otherCertificates serial numbers of the requester's other valid certificates with the same
 *     key, if that was reported as compromised
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatusBody(
    String serial,
    String status,
    @Nullable String reason,
    @Nullable String revocationDate,
    @Nullable String invalidityDate,
    @Nullable List<String> otherCertificates) {

  /** The same with the serial numbers of other certificates with its key. */
  public StatusBody withOthers(List<SerialNumber> others) {
    return new StatusBody(
        serial,
        status,
        reason,
        revocationDate,
        invalidityDate,
        others.stream().map(SerialNumber::hex).toList());
  }

  /** Whether it is revoked. Not public: it would be a member of the answer. */
  boolean isRevoked() {
    return reason != null;
  }

  /** The status of an entry. */
  public static StatusBody of(LedgerEntry entry, Optional<Revocation> revocation) {
    return new StatusBody(
        entry.intent().serialNumber().hex(),
        revocation.isPresent() ? "revoked" : "valid",
        revocation.map(r -> r.reason().label()).orElse(null),
        revocation.map(r -> r.revokedAt().toString()).orElse(null),
        revocation.flatMap(Revocation::invalidityDate).map(Instant::toString).orElse(null),
        null);
  }
}
