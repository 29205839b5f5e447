package org.sluiceca.load.cli;

/** An option, a plan or another file says something that cannot be done; the message names it. */
public final class InputException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public InputException(String message) {
    super(message);
  }
}
