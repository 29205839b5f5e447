package org.sluiceca.load.sizing;

/** What was given cannot be planned with; the message is for the user. */
public final class SizingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SizingException(String message) {
    super(message);
  }
}
