package org.sluiceca.client.login;

import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.ConnectionFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;

/** {@code sluice connections}: what login has kept. */
@Command(
    name = "connections",
    description = "List the connections that are kept; * marks the default.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  sluice connections"})
public final class ConnectionsCommand implements Callable<Integer> {
  private final Console console;

  /** Prints on {@code console}. */
  public ConnectionsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    ConnectionFile file = ConnectionFile.ofUser();
    Table table = new Table("", "NAME", "URLS", "ENROLLS BY", "ADMINISTERS BY");
    new TreeMap<>(file.all())
        .forEach(
            (name, entry) ->
                table.row(
                    file.standard().filter(name::equals).isPresent() ? "*" : "",
                    name,
                    String.join(" ", entry.urls()),
                    shown(entry.tokenFile(), entry.clientCert()),
                    shown(entry.adminTokenFile(), entry.clientCert())));
    table.lines().forEach(console::line);
    return 0;
  }

  private static String shown(@Nullable String first, @Nullable String second) {
    return first != null ? first : second != null ? second : "-";
  }
}
