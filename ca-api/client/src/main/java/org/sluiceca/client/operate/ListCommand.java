package org.sluiceca.client.operate;

import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A command that prints one list of the service, as a table or as it came. */
abstract class ListCommand extends ServiceCommand {
  private final Purpose purpose;
  private final String path;

  @Option(names = "--json", description = "one JSON document instead of a table")
  private boolean json;

  /** For the list at {@code path}, which a credential of this purpose may read. */
  ListCommand(Console console, Purpose purpose, String path) {
    super(console);
    this.purpose = purpose;
    this.path = path;
  }

  /** The list, an array, for a reader. */
  abstract Table table(JsonNode list);

  @Override
  protected final Purpose purpose() {
    return purpose;
  }

  @Override
  protected final int run(Service service) {
    JsonNode list = service.ask(Call.get(path)).json();
    if (json) {
      console().raw(Json.line(list));
    } else {
      table(list).lines().forEach(console()::line);
    }
    return 0;
  }
}
