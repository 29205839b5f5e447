package org.sluiceca.api.cli.audit;

import ch.qos.logback.classic.Level;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** {@code ./sluice audit verify|export}: judges the audit trail, or prints it. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    description = "Finds what was changed in the audit trail, or prints the trail.",
    subcommands = {VerifyStep.class, ExportStep.class})
public final class AuditCommand {

  /** Exit code 1: failed; 2, bad usage, is picocli's. */
  static final int FAILED = 1;

  private AuditCommand() {}

  /** Runs one step and exits with its code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    // What the pool has to say is of no use to an auditor.
    if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)
        instanceof ch.qos.logback.classic.Logger root) {
      root.setLevel(Level.WARN);
    }
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new AuditCommand())
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              command.getErr().println("audit: " + firstLine(failure));
              return FAILED;
            });
  }

  private static String firstLine(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String line = message.lines().findFirst().orElse(failure.getClass().getSimpleName());
    return failure instanceof java.nio.file.NoSuchFileException ? "no file " + line : line;
  }
}
