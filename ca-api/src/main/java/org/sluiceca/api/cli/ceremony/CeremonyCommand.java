package org.sluiceca.api.cli.ceremony;

import ch.qos.logback.classic.Level;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.cli.ceremony.schema.MigrateStep;
import org.sluiceca.api.cli.check.ProfileCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/**
 * {@code ./sluice ceremony STEP}. The steps are also the flow with an external root: issuing-key
 * writes a CSR, the root signs it wherever it lives, install takes the certificate.
 */
@Command(
    name = "ceremony",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    description = "Makes the CA's keys, issues its certificates, installs its issuers.",
    subcommands = {
      IssuingKeyStep.class,
      RootStep.class,
      InstallStep.class,
      CrlStep.class,
      OcspResponderStep.class,
      CalibrateStep.class,
      AuditKeyStep.class,
      CredentialsStep.class,
      AfterRestoreStep.class,
      MigrateStep.class,
      ProfileCommand.class
    })
public final class CeremonyCommand {

  /** Exit code 1: failed with one line; 2, bad usage, is picocli's. */
  private static final int FAILED = 1;

  private CeremonyCommand() {}

  /** Runs one step and exits with its code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    quietLibraries();
    System.exit(commandLine().execute(arguments));
  }

  /** Has libraries of this process print warnings alone. */
  public static void quietLibraries() {
    // What the pool and the migration have to say is of no use to the person at the ceremony.
    if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)
        instanceof ch.qos.logback.classic.Logger root) {
      root.setLevel(Level.WARN);
    }
  }

  /** Returns the program, which prints on the standard outputs unless it is given others. */
  public static CommandLine commandLine() {
    return new CommandLine(new CeremonyCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              command.getErr().println("ceremony: " + firstLine(failure));
              return FAILED;
            });
  }

  private static String firstLine(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String line = message.lines().findFirst().orElse(failure.getClass().getSimpleName());
    return failure instanceof NoSuchFileException ? "no file " + line : line;
  }
}
