package org.sluiceca.client.operate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Approvals;
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

/** {@code sluice profile …}: versions of profiles, stored and activated while nodes run. */
@Command(
    name = "profile",
    description = "Check and store versions of profiles and say which one is used.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ProfileCheck.Check.class,
      ProfileCheck.Lint.class,
      ProfileCommand.Add.class,
      ProfileCommand.Activate.class,
      ProfileCommand.OwnFile.class,
      ProfileCommand.Versions.class,
      ProfileDiff.class
    },
    footer = {
      "",
      "Examples:",
      "  sluice profile check web.yaml",
      "  sluice profile add web.yaml",
      "  sluice profile activate tls-server 4"
    })
public final class ProfileCommand {
  /** The longest file of a profile, in octets. */
  static final int FILE_MAX = 65_536;

  private static final int VERSION_MAX = 1_000_000;

  /** The octets of a profile's file. Fails if it is longer than one may be. */
  static byte[] read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(FILE_MAX + 1);
      if (content.length > FILE_MAX) {
        throw Failure.of(file + " is longer than " + FILE_MAX + " octets");
      }
      return content;
    } catch (IOException e) {
      throw Failure.of("cannot read a profile from " + file);
    }
  }

  /** Steps about one profile. */
  abstract static class OfOne extends NamedCommand {
    OfOne(Console console) {
      super(console, "a profile");
    }

    final String path() {
      return "/v1/profiles/" + name();
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
      description = "Store a version of a profile; it is not used until it is activated.",
      footer = {"", "Example:", "  sluice profile add web.yaml"})
  static final class Add extends ServiceCommand {
    @Parameters(paramLabel = "FILE", description = "a profile file, YAML")
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
      content = read(file);
    }

    @Override
    protected int run(Service service) {
      Reply reply =
          service.ask(Call.post("/v1/profiles", "application/yaml", "application/json", content));
      JsonNode stored = reply.json();
      if (!Approvals.waits(reply, console())) {
        String name = stored.path("name").asString("");
        int version = stored.path("version").asInt(0);
        console()
            .note(
                "stored %s version %d; to use it: sluice profile activate %s %d",
                name, version, name, version);
      }
      output.print(stored, console());
      return 0;
    }
  }

  @Command(
      name = "activate",
      description = "Use a stored version, on every node within seconds.",
      footer = {"", "Example:", "  sluice profile activate tls-server 4"})
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
          name() + " issues by version " + version + " within seconds, on every node");
    }
  }

  @Command(
      name = "file",
      description = "Use each node's own profile file again.",
      footer = {"", "Example:", "  sluice profile file tls-server"})
  static final class OwnFile extends OfOne {
    @Mixin private ActOutput output = new ActOutput();

    OwnFile(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      return output.report(
          service.ask(Call.delete(path() + "/active")),
          console(),
          name() + " issues by each node's own file within seconds",
          JsonNodeFactory.instance.objectNode().put("name", name()).put("issuesBy", "file"));
    }
  }

  @Command(
      name = "versions",
      description = "List the stored versions; * marks the active one.",
      footer = {"", "Example:", "  sluice profile versions tls-server"})
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
      String refused = versions.path("refused").asString("");
      console()
          .say(
              "active: %s; the node asked issues by %s%s",
              active == 0 ? "none, so each node issues by its own file" : active + "",
              versions.path("issuing").asString("none"),
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
}
