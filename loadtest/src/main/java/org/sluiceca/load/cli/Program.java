package org.sluiceca.load.cli;

import java.io.IOException;
import java.security.GeneralSecurityException;

/**
 * A program of the load tests. Its exit codes: 0 done and all goals met, 1 a goal missed or the run
 * failed, 2 what was given cannot be run.
 */
@FunctionalInterface
public interface Program {

  /** Runs it and returns its exit code. */
  int run(Options options) throws IOException, GeneralSecurityException, InterruptedException;

  /**
   * Runs a program and ends this process with its exit code.
   *
   * @param known as {@link Options#parse}
   */
  static void start(Program program, String known, String... arguments) {
    System.exit(exitCode(program, known, arguments));
  }

  private static int exitCode(Program program, String known, String... arguments) {
    try {
      return program.run(Options.parse(known, arguments));
    } catch (InputException e) {
      System.err.println("sluice: " + e.getMessage());
      return 2;
    } catch (TrialException | IOException | GeneralSecurityException e) {
      System.err.println("sluice: " + (e instanceof TrialException ? e.getMessage() : e));
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        System.err.println("sluice:   because " + cause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }
}
