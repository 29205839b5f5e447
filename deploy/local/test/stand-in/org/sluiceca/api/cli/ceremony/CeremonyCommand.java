package org.sluiceca.api.cli.ceremony;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Stands in for the key ceremony: writes the files that each step promises, and a line about its call. */
public final class CeremonyCommand {
  private CeremonyCommand() {}

  public static void main(String[] arguments) throws IOException, URISyntaxException {
    Path jar = Path.of(CeremonyCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Files.writeString(
        jar.resolveSibling("calls"),
        String.join(" ", arguments) + " SOFTHSM2_CONF=" + System.getenv("SOFTHSM2_CONF") + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    String root = Files.readString(jar.resolveSibling("tls.pem"));
    for (int i = 1; i < arguments.length - 1; i++) {
      switch (arguments[i]) {
        case "--csr-out", "--certificate-out", "--root-out", "--chain-out", "--out", "--public-key-out" ->
            Files.writeString(Path.of(arguments[i + 1]), root);
        case "--out-dir" -> {
          Files.writeString(Path.of(arguments[i + 1], "admin.token"), "admin-token\n");
          Files.writeString(Path.of(arguments[i + 1], "enroll.token"), "enroll-token\n");
          Files.writeString(
              Path.of(arguments[i + 1], "acme-eab.json"),
              "{\"directory\":\"https://moved/\",\"kid\":\"k\",\"hmacKey\":\"h\"}");
        }
        default -> {}
      }
    }
  }
}
