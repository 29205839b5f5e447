package org.sluiceca.client.login;

import java.util.concurrent.Callable;
import org.sluiceca.client.connect.ConnectionFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice logout}: forgets a connection; the files that it names stay. */
@Command(
    name = "logout",
    description = "Forget a connection; the files that it names stay.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  sluice logout prod"})
public final class LogoutCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "NAME", description = "as `sluice connections` lists it")
  private String name = "";

  /** Prints on {@code console}. */
  public LogoutCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    ConnectionFile file = ConnectionFile.ofUser();
    if (!file.remove(name)) {
      throw Failure.of("no connection '" + name + "': sluice connections lists them");
    }
    file.save();
    console.say("connection %s is forgotten", name);
    return 0;
  }
}
