package org.sluiceca.client.output;

/**
 * Ends a command with one line for its user. The line says what failed and, where there is one,
 * what to do next; it never holds a secret.
 */
public final class Failure extends RuntimeException {
  /** The command could not do what it was asked to do. */
  public static final int FAILED = 1;

  /** The command line is wrong; nothing was sent. */
  public static final int USAGE = 2;

  private static final long serialVersionUID = 1;

  private final int exitCode;

  private Failure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** A failure of the command: exit code 1. */
  public static Failure of(String message) {
    return new Failure(FAILED, message);
  }

  /** A wrong command line: exit code 2. */
  public static Failure usage(String message) {
    return new Failure(USAGE, message);
  }

  /** The exit code of the process, 1 or 2. */
  public int exitCode() {
    return exitCode;
  }
}
