package org.sluiceca.core.registration;

import java.time.Instant;
import java.util.Optional;

/**
 * How far the proof of one name of a request has come.
 *
 * @param number which of the request's names, from 0
 * @param token what the proof must contain, unguessable, in base64url
 * @param method by which its client proves the name; empty until it has chosen
 * @param fault why the last attempt failed; empty if none did
 * @param validatedAt when the proof was found, also of one that was given up afterwards; empty if
 *     none was
 */
public record Authorization(
    int number,
    String token,
    Status status,
    Optional<String> method,
    Optional<Fault> fault,
    Optional<Instant> validatedAt) {

  /** States of RFC 8555 7.1.6, and between them that an attempt is under way. */
  public enum Status {
    /** The client has not said that its proof is there. */
    PENDING,
    /** The proof is looked for. */
    PROCESSING,
    VALID,
    INVALID,
    /** Its client gave it up. */
    DEACTIVATED
  }

  /**
   * What was wrong with a proof.
   *
   * @param kind the word of RFC 8555 6.7
   * @param detail one line that the client can act on; nothing of what another machine answered
   */
  public record Fault(String kind, String detail) {

    /** The longest detail in characters. */
    private static final int DETAIL_MAX = 500;

    /** Cuts what is longer. */
    public Fault {
      if (detail.length() > DETAIL_MAX) {
        detail = detail.substring(0, DETAIL_MAX);
      }
    }
  }

  /** Returns one that nothing was done about. */
  public static Authorization pending(int number, String token) {
    return new Authorization(
        number, token, Status.PENDING, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns whether it can come to nothing but this. */
  public boolean isOver() {
    return status == Status.INVALID || status == Status.DEACTIVATED;
  }
}
