package org.sluiceca.load.sizing.given;

/** What was given cannot be planned with; the message is for the user. */
public final class SizingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is said to the user. */
  public SizingException(String message) {
    super(message);
  }
}
