package org.sluiceca.client.login;

import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.ConnectionFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice connections}: what login has kept. */
@Command(
    name = "connections",
    description = "List the connections that are kept; * marks the default.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  sluice connections"})
public final class ConnectionsCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--json", description = "one JSON document instead of a table")
  private boolean json;

  /** Prints on {@code console}. */
  public ConnectionsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    ConnectionFile file = ConnectionFile.ofUser();
    if (json) {
      console.raw(Json.line(document(file)));
      return 0;
    }
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

  static ObjectNode document(ConnectionFile file) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    file.standard().ifPresent(name -> document.put("default", name));
    ArrayNode connections = document.putArray("connections");
    new TreeMap<>(file.all())
        .forEach(
            (name, entry) -> {
              ObjectNode one = connections.addObject().put("name", name);
              entry.urls().forEach(one.putArray("urls")::add);
              put(one, "caFile", entry.caFile());
              put(one, "tokenFile", entry.tokenFile());
              put(one, "adminTokenFile", entry.adminTokenFile());
              put(one, "clientCert", entry.clientCert());
              put(one, "clientKey", entry.clientKey());
            });
    return document;
  }

  private static void put(ObjectNode node, String name, @Nullable String value) {
    if (value != null) {
      node.put(name, value);
    }
  }

  private static String shown(@Nullable String first, @Nullable String second) {
    return first != null ? first : second != null ? second : "-";
  }
}
