package org.sluiceca.api.approval.store;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * An act that a requester asked for, and what became of it.
 *
 * @param content canonical JSON
 * @param sha256 over the content's octets
 * @param isExpired whether its time had passed when it was read, by the database's clock
 */
public record StoredApproval(
    UUID id,
    Asked asked,
    String content,
    OctetString sha256,
    boolean isExpired,
    Optional<Decided> decided,
    Optional<Ended> ended) {

  /** The request: the act, its requester, when it was made and until when it may be decided. */
  public record Asked(String action, RequesterId by, Instant at, Instant expiresAt) {}

  /** The decision. */
  public enum Decision {
    APPROVED,
    REFUSED,
    /** By the one who asked. */
    WITHDRAWN
  }

  /** A decision, which stands. */
  public record Decided(Decision decision, RequesterId by, Instant at) {}

  /** How carrying it out ended. */
  public record Ended(boolean isDone, String detail, Instant at) {}

  /** How it stands, for people and programs. */
  public enum Status {
    PENDING,
    EXPIRED,
    REFUSED,
    WITHDRAWN,
    /** About to be carried out. */
    APPROVED,
    DONE,
    /** It was approved, and could not be done any more. */
    FAILED
  }

  /** Returns how it stands. */
  public Status status() {
    if (ended.isPresent()) {
      return ended.get().isDone() ? Status.DONE : Status.FAILED;
    }
    if (decided.isPresent()) {
      return switch (decided.get().decision()) {
        case APPROVED -> Status.APPROVED;
        case REFUSED -> Status.REFUSED;
        case WITHDRAWN -> Status.WITHDRAWN;
      };
    }
    return isExpired ? Status.EXPIRED : Status.PENDING;
  }
}
