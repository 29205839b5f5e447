package org.sluiceca.api.cli.setup;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Stands in for setup: writes a line about its call. */
public final class SetupCommand {
  private SetupCommand() {}

  public static void main(String[] arguments) throws IOException, URISyntaxException {
    Path jar = Path.of(SetupCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Files.writeString(
        jar.resolveSibling("calls"),
        "setup " + String.join(" ", arguments) + " SOFTHSM2_CONF=" + System.getenv("SOFTHSM2_CONF") + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
