package org.sluiceca.client.operate;

import java.util.stream.Collectors;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.operate.Versioned.Kind;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code sluice endpoint …}: versions of endpoints of ACME, stored and activated at run time. */
@Command(
    name = "endpoint",
    description = "Check, store and activate versions of ACME endpoints.",
    mixinStandardHelpOptions = true,
    subcommands = {
      VersionedCheck.OfEndpoints.class,
      EndpointCommand.Add.class,
      EndpointCommand.ListAll.class,
      EndpointCommand.Versions.class,
      EndpointCommand.Show.class,
      EndpointCommand.Activate.class,
      EndpointCommand.Deactivate.class
    },
    footer = {
      "",
      "Examples:",
      "  sluice endpoint check internal.yaml",
      "  sluice endpoint add internal.yaml",
      "  sluice endpoint activate internal 3"
    })
public final class EndpointCommand {
  private static final Kind KIND = new Kind("an endpoint", "/v1/endpoints");

  @Command(
      name = "add",
      description = "Store a version of an endpoint; it is not served until it is activated.",
      footer = {"", "Example:", "  sluice endpoint add internal.yaml"})
  static final class Add extends Versioned.Add {
    Add(Console console) {
      super(console, KIND, "to serve it: sluice endpoint activate");
    }
  }

  @Command(
      name = "list",
      description = "List endpoints: what the node asked serves, and what it refuses.",
      footer = {"", "Example:", "  sluice endpoint list"})
  static final class ListAll extends ListCommand {
    ListAll(Console console) {
      super(console, Purpose.ADMINISTER, KIND.path());
    }

    @Override
    Table table(JsonNode endpoints) {
      Table table =
          new Table("NAME", "STATE", "VERSION", "FROM", "ACCOUNTS", "METHODS", "PROFILES");
      for (JsonNode endpoint : endpoints.values()) {
        table.row(
            endpoint.path("name").asString("-"),
            state(endpoint),
            endpoint.path("version").asString("-"),
            endpoint.path("source").asString("-"),
            accounts(endpoint),
            words(endpoint.path("methods")),
            words(endpoint.path("profiles")));
      }
      return table;
    }

    private static String state(JsonNode endpoint) {
      String refused = endpoint.path("refused").asString("");
      String state = endpoint.path("state").asString("-");
      return refused.isEmpty() ? state : state + ": " + refused;
    }

    private static String accounts(JsonNode endpoint) {
      if (!endpoint.has("bindingRequired")) {
        return "-";
      }
      return endpoint.path("bindingRequired").asBoolean(true)
          ? "by binding"
          : "any, as " + endpoint.path("requester").asString("-");
    }

    private static String words(JsonNode list) {
      return list.isEmpty()
          ? "-"
          : list.valueStream().map(word -> word.asString("")).collect(Collectors.joining(","));
    }
  }

  @Command(
      name = "versions",
      description = "List the stored versions; * marks the active one.",
      footer = {"", "Example:", "  sluice endpoint versions internal"})
  static final class Versions extends Versioned.Versions {
    Versions(Console console) {
      super(console, KIND, "serves its own file");
    }

    @Override
    String standing(JsonNode versions) {
      JsonNode endpoint = versions.path("endpoint");
      return "serves " + endpoint.path("version").asString("nothing") + refused(endpoint);
    }
  }

  @Command(
      name = "show",
      description = "Print a stored version, YAML.",
      footer = {"", "Example:", "  sluice endpoint show internal 3"})
  static final class Show extends Versioned.OfOne {
    @Parameters(paramLabel = "VERSION", description = "the stored version's number")
    private int version;

    Show(Console console) {
      super(console, KIND);
    }

    @Override
    protected void check() {
      super.check();
      checkVersion(version);
    }

    @Override
    protected int run(Service service) {
      file(service, version).lines().forEach(console()::line);
      return 0;
    }
  }

  @Command(
      name = "activate",
      description = "Serve a stored version, on every node within seconds.",
      footer = {"", "Example:", "  sluice endpoint activate internal 3"})
  static final class Activate extends Versioned.Activate {
    Activate(Console console) {
      super(console, KIND, "is served");
    }
  }

  @Command(
      name = "deactivate",
      description = "Serve each node's own file again, or nothing where it has none.",
      footer = {"", "Example:", "  sluice endpoint deactivate internal"})
  static final class Deactivate extends Versioned.OfOne {
    @Mixin private ActOutput output = new ActOutput();

    Deactivate(Console console) {
      super(console, KIND);
    }

    @Override
    protected int run(Service service) {
      return output.report(
          service.ask(Call.delete(path() + "/active")),
          console(),
          "no stored version of " + name() + " is served any more, within seconds",
          JsonNodeFactory.instance.objectNode().put("name", name()).put("servedBy", "file"));
    }
  }
}
