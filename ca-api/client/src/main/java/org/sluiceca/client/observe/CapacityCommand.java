package org.sluiceca.client.observe;

import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice capacity}: what one node takes now, and what its HSMs do. */
@Command(
    name = "capacity",
    description = {
      "Show what one node takes now, by lane, and its HSMs.",
      "It is the first node that answers; rates are 0 until it has learnt them."
    },
    footer = {"", "Example:", "  sluice capacity --json"})
public final class CapacityCommand extends NodeCommand {
  @Option(names = "--json", description = "the service's JSON document")
  private boolean json;

  /** Prints on {@code console}. */
  public CapacityCommand(Console console) {
    super(console);
  }

  @Override
  protected int run(Service service) {
    Capacity capacity = new Capacity(service.ask(Call.get(Capacity.PATH)).json());
    if (json) {
      console().raw(Json.line(capacity.answer()));
      return 0;
    }
    capacity.laneTable().lines().forEach(console()::line);
    console().line("");
    capacity.hsmTable().lines().forEach(console()::line);
    console().line("");
    console().line(capacity.backlog());
    return 0;
  }
}
