package org.sluiceca.client.operate;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code sluice endpoint …}: versions of endpoints of ACME, stored and activated at run time. */
@Command(
    name = "endpoint",
    description = "Check, store and activate versions of ACME endpoints.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ProfileCheck.OfEndpoints.class,
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
  private static final String PATH = "/v1/endpoints";
  private static final String YAML = "application/yaml";
  private static final int VERSION_MAX = 1_000_000;

  /** Steps about one endpoint. */
  abstract static class OfOne extends NamedCommand {
    OfOne(Console console) {
      super(console, "an endpoint");
    }

    final String path() {
      return PATH + "/" + name();
    }

    static void checkVersion(int version) {
      if (version < 1 || version > VERSION_MAX) {
        throw Failure.usage("'" + version + "' is not a version");
      }
    }

    final JsonNode versions(Service service) {
      return service.ask(Call.get(path() + "/versions")).json();
    }
  }

  @Command(
      name = "add",
      description = "Store a version of an endpoint; it is not served until it is activated.",
      footer = {"", "Example:", "  sluice endpoint add internal.yaml"})
  static final class Add extends ServiceCommand {
    @Parameters(paramLabel = "FILE", description = "a file of an endpoint, YAML")
    private Path file = Path.of("");

    @Mixin private ActOutput output = new ActOutput();

    private byte[] content = new byte[0];

    Add(Console console) {
      super(console);
    }

    @Override
    protected Purpose purpose() {
      return Purpose.ADMINISTER;
    }

    @Override
    protected void check() {
      content = ProfileCommand.read(file);
    }

    @Override
    protected int run(Service service) {
      JsonNode stored = service.ask(Call.post(PATH, YAML, "application/json", content)).json();
      String name = stored.path("name").asString("");
      int version = stored.path("version").asInt(0);
      console()
          .note(
              "stored %s version %d; to serve it: sluice endpoint activate %s %d",
              name, version, name, version);
      output.print(stored, console());
      return 0;
    }
  }

  @Command(
      name = "list",
      description = "List endpoints: what the node asked serves, and what it refuses.",
      footer = {"", "Example:", "  sluice endpoint list"})
  static final class ListAll extends ListCommand {
    ListAll(Console console) {
      super(console, Purpose.ADMINISTER, PATH);
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
  static final class Versions extends OfOne {
    @Option(names = "--json", description = "one JSON document instead of a table")
    private boolean json;

    Versions(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      JsonNode versions = versions(service);
      if (json) {
        console().raw(Json.line(versions));
        return 0;
      }
      int active = versions.path("active").path("version").asInt(0);
      JsonNode endpoint = versions.path("endpoint");
      String refused = endpoint.path("refused").asString("");
      console()
          .say(
              "active: %s; the node asked serves %s%s",
              active == 0 ? "none, so each node serves its own file" : active + "",
              endpoint.path("version").asString("nothing"),
              refused.isEmpty() ? "" : " and refuses what is active: " + refused);
      Table table = new Table("", "VERSION", "ADDED BY", "ADDED AT", "SHA-256");
      for (JsonNode one : versions.path("versions").values()) {
        int number = one.path("version").asInt(0);
        table.row(
            number == active ? "*" : "",
            Integer.toString(number),
            one.path("addedBy").asString("-"),
            one.path("addedAt").asString("-"),
            one.path("sha256").asString("-"));
      }
      table.lines().forEach(console()::line);
      return 0;
    }
  }

  @Command(
      name = "show",
      description = "Print a stored version, YAML.",
      footer = {"", "Example:", "  sluice endpoint show internal 3"})
  static final class Show extends OfOne {
    @Parameters(paramLabel = "VERSION", description = "the stored version's number")
    private int version;

    Show(Console console) {
      super(console);
    }

    @Override
    protected void check() {
      super.check();
      checkVersion(version);
    }

    @Override
    protected int run(Service service) {
      Reply reply =
          service.ask(
              new Call(
                  "GET", path() + "/versions/" + version, Map.of("Accept", YAML), new byte[0]));
      if (reply.body().length > ProfileCommand.FILE_MAX) {
        throw Failure.of("version " + version + " is longer than an endpoint's file can be");
      }
      reply.text().lines().forEach(console()::line);
      return 0;
    }
  }

  @Command(
      name = "activate",
      description = "Serve a stored version, on every node within seconds.",
      footer = {"", "Example:", "  sluice endpoint activate internal 3"})
  static final class Activate extends OfOne {
    @Parameters(paramLabel = "VERSION", description = "the stored version's number")
    private int version;

    @Mixin private ActOutput output = new ActOutput();

    Activate(Console console) {
      super(console);
    }

    @Override
    protected void check() {
      super.check();
      checkVersion(version);
    }

    /** Names the activation that it follows: of two administrators at once one gets an error. */
    @Override
    protected int run(Service service) {
      long replaces = versions(service).path("active").path("activation").asLong(0);
      Call call =
          Call.send(
              "PUT",
              path() + "/active",
              JsonNodeFactory.instance
                  .objectNode()
                  .put("version", version)
                  .put("replaces", replaces));
      return output.report(
          service.ask(call),
          console(),
          name() + " is served by version " + version + " within seconds, on every node");
    }
  }

  @Command(
      name = "deactivate",
      description = "Serve each node's own file again, or nothing where it has none.",
      footer = {"", "Example:", "  sluice endpoint deactivate internal"})
  static final class Deactivate extends OfOne {
    @Mixin private ActOutput output = new ActOutput();

    Deactivate(Console console) {
      super(console);
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
