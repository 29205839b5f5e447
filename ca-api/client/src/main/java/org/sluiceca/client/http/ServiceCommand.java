package org.sluiceca.client.http;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.sluiceca.client.connect.ConnectionOptions;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.output.Console;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that asks the service. It checks its options before it opens a connection. */
public abstract class ServiceCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = {"-q", "--quiet"},
      description = "print results and failures, no messages")
  private boolean quiet;

  /** For a command that prints on {@code console}. */
  protected ServiceCommand(Console console) {
    this.console = console;
  }

  /** What the command needs a credential for. */
  protected abstract Purpose purpose();

  /** Checks what the command line says, before anything is read or sent. */
  protected void check() {}

  /** Does the work; returns the exit code. */
  protected abstract int run(Service service);

  /** Where the command prints. */
  protected final Console console() {
    return console;
  }

  @Override
  public final Integer call() {
    if (quiet) {
      console.beQuiet();
    }
    check();
    Duration patience = connection.patience();
    try (Service service = new Service(connection.resolve(purpose()), patience, console)) {
      return run(service);
    }
  }
}
