package org.sluiceca.api.cli.setup.answer;

/** Ends a run of setup: one line for the operator, without secrets, and an exit code. */
public final class SetupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** How a run ends that does not reach its end. */
  public enum Kind {
    /** A check or a step failed. */
    FAILED(1),
    /** An answer is missing, or cannot be one. */
    USAGE(2),
    /** The CSR waits for the other CA's certificate. */
    WAITING(4),
    /** The operator stopped the dialogue. */
    STOPPED(5);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }
  }

  private final Kind kind;

  /** A run that ends with {@code message}. */
  public SetupException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** A run that a failure ends, whose message says what to do. */
  public SetupException(String message, Throwable cause) {
    super(message, cause);
    this.kind = Kind.FAILED;
  }

  /** Returns how the run ends. */
  public Kind kind() {
    return kind;
  }

  /** Returns the exit code of the program. */
  public int exitCode() {
    return kind.exitCode;
  }
}
