package org.sluiceca.core.revoke;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.x509.RevocationReason;

/**
 * What may follow what. A hold may be released, or become final; a final revocation stands (RFC
 * 5280 5.3.1), but may turn out to be a key compromise, keeping its date.
 */
public final class RevocationRules {

  private RevocationRules() {}

  /** What a wish comes to. */
  public sealed interface Decision {

    /** To be recorded. */
    record Append(Change change) implements Decision {}

    /** It is so already, or more than that: the repetition of a lost answer. */
    record Stands() implements Decision {}

    /** It cannot be. */
    record Refused(String detail) implements Decision {}
  }

  static Decision revoke(
      RevocationStatus status, RevocationReason reason, Optional<Instant> invalidityDate) {
    if (status.revocation().isEmpty()) {
      return new Decision.Append(new Change.Revoked(reason, invalidityDate, Optional.empty()));
    }
    Revocation standing = status.revocation().get();
    boolean wasHold = standing.reason() == RevocationReason.CERTIFICATE_HOLD;
    boolean isWorse =
        wasHold
            ? reason != RevocationReason.CERTIFICATE_HOLD
            // Of an authority's compromise too: only this reason ends the use of the key itself.
            : reason == RevocationReason.KEY_COMPROMISE
                && standing.reason() != RevocationReason.KEY_COMPROMISE;
    return isWorse
        ? new Decision.Append(
            new Change.Revoked(
                reason,
                invalidityDate.or(standing::invalidityDate),
                Optional.of(standing.revokedAt())))
        : new Decision.Stands();
  }

  /**
   * Decides about one of many certificates that are revoked at once: only valid ones are revoked. A
   * revocation that stands stays, a hold too, because the certificates were not examined one by
   * one. Never refused.
   */
  public static Decision revokeAmongMany(
      RevocationStatus status, RevocationReason reason, Optional<Instant> invalidityDate) {
    return status.revocation().isEmpty()
        ? revoke(status, reason, invalidityDate)
        : new Decision.Stands();
  }

  static Decision release(RevocationStatus status) {
    if (status.revocation().isEmpty()) {
      return status.events() == 0
          ? new Decision.Refused("the certificate is not on hold")
          : new Decision.Stands();
    }
    RevocationReason reason = status.revocation().get().reason();
    return reason == RevocationReason.CERTIFICATE_HOLD
        ? new Decision.Append(new Change.Released())
        : new Decision.Refused("the certificate is revoked for good: " + reason.label());
  }
}
