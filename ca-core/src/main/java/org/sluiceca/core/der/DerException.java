package org.sluiceca.core.der;

/**
 * The bytes are not the strict DER of the structure that was asked for, or of a form of it that
 * this CA does not read. Never retried.
 */
public final class DerException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What a fault is about, for callers that answer each in another way. */
  public enum Kind {
    /** The bytes are not strict DER of the structure. */
    MALFORMED,
    /** Well formed, but a public key of a kind that this CA does not certify. */
    KEY_NOT_SUPPORTED,
    /** Of a kind that this CA certifies, but no public key: the point at infinity. */
    KEY_NOT_VALID,
    /** Well formed, but a subject that this CA does not read. */
    NAME_NOT_SUPPORTED,
    /** Well formed, but a signature algorithm that this CA does not accept, such as SHA-1. */
    SIGNATURE_NOT_SUPPORTED
  }

  private final Kind kind;

  DerException(String message) {
    this(Kind.MALFORMED, message);
  }

  DerException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  DerException(String message, Throwable cause) {
    super(message, cause);
    this.kind = Kind.MALFORMED;
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
