package org.sluiceca.load.cli;

/** A part of the trial did not do what it was asked, or could not be looked at. */
public final class TrialException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What was tried and what came of it. */
  public TrialException(String message) {
    super(message);
  }

  /** The same, with the reason. */
  public TrialException(String message, Throwable cause) {
    super(message, cause);
  }
}
