package org.sluiceca.core.failure;

/**
 * A request refused for cause: asking again with the same content gives the same answer.
 *
 * @param reason the closed class of the cause
 * @param detail one line for the client: what was compared, never a secret
 */
public record Rejection(Reason reason, String detail) {

  /** Returns the refusal of a key that was reported as compromised. */
  public static Rejection compromisedKey() {
    return new Rejection(
        Reason.COMPROMISED_KEY,
        "the public key was reported as compromised when a certificate with it was revoked: make a"
            + " new key, and a new request with it");
  }

  /** The causes that a client can fix. */
  public enum Reason {
    /** The request's bytes are not a certification request. */
    MALFORMED_CSR,
    /** The CSR's signature does not verify under its own key (RFC 2986 3). */
    BAD_PROOF_OF_POSSESSION,
    /** The public key, or the signature under the CSR, is of an algorithm that this CA refuses. */
    UNSUPPORTED_ALGORITHM,
    /** The public key is too weak, or no valid key of its algorithm. */
    WEAK_KEY,
    /** The public key was reported as compromised by the revocation of a certificate. */
    COMPROMISED_KEY,
    /** A subject or subjectAltName that the profile does not allow. */
    NAME_NOT_ALLOWED,
    /** Any other contradiction to the profile. */
    PROFILE_VIOLATION,
    /** The planned certificate failed a lint. */
    LINT,
    /** No profile has this name. */
    UNKNOWN_PROFILE,
    /** The requester may not use this profile. */
    PROFILE_NOT_ALLOWED,
    /** The Idempotency-Key was used before, with another payload. */
    IDEMPOTENCY_KEY_REUSED,
    /** The Idempotency-Key's first request is not finished yet. */
    IDEMPOTENCY_KEY_IN_PROGRESS
  }
}
