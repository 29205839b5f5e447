package org.sluiceca.core.wire.jws;

import org.sluiceca.core.wire.json.JsonException;

/** The octets are no JWS or JWK that this server takes. Never retried. */
public final class JwsException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What a fault is about, for callers that answer each in another way (RFC 8555 6.7). */
  public enum Kind {
    /** Not the form that RFC 8555 6.2 asks for. */
    MALFORMED,
    /** Signed by an algorithm that is not taken here. */
    ALGORITHM_NOT_SUPPORTED,
    /** A public key of a kind, or with a value, that is not taken here. */
    KEY_NOT_SUPPORTED
  }

  private final Kind kind;

  JwsException(Kind kind, String fault) {
    super(fault, null, false, false);
    this.kind = kind;
  }

  static JwsException malformed(String fault) {
    return new JwsException(Kind.MALFORMED, fault);
  }

  static JwsException of(String where, JsonException e) {
    return malformed(where + ": " + e.fault());
  }

  /** Returns what the fault is about. */
  public Kind kind() {
    return kind;
  }

  /** Returns what is wrong, in one line without the content. */
  public String fault() {
    return String.valueOf(getMessage());
  }
}
