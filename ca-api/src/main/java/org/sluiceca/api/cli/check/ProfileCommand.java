package org.sluiceca.api.cli.check;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** {@code ./sluice profile check|lint}: tries profiles without issuing anything. */
@Command(
    name = "profile",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    description =
        "Tries profiles: what would be issued for a CSR, or why not; whether files are sound.",
    subcommands = {CheckStep.class, LintStep.class})
public final class ProfileCommand {

  /** Exit code 1: failed with one line; 2, bad usage, is picocli's. */
  static final int FAILED = 1;

  private ProfileCommand() {}

  /** Runs one step and exits with its code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new ProfileCommand())
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              command.getErr().println("profile: " + firstLine(failure));
              return FAILED;
            });
  }

  private static String firstLine(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String line = message.lines().findFirst().orElse(failure.getClass().getSimpleName());
    return failure instanceof java.nio.file.NoSuchFileException ? "no file " + line : line;
  }
}
