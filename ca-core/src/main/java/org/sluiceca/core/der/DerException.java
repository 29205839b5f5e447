package org.sluiceca.core.der;

/** The bytes are not the strict DER of the structure that was asked for. Never retried. */
public final class DerException extends Exception {

  private static final long serialVersionUID = 1L;

  DerException(String message) {
    super(message);
  }

  DerException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns what is wrong, in one line without the content. */
  public String fault() {
    return String.valueOf(getMessage());
  }
}
