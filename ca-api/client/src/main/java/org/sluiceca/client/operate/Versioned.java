package org.sluiceca.client.operate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What commands about profiles and about endpoints share: both are files with versions. */
final class Versioned {
  /** The longest file of either, in octets. */
  static final int FILE_MAX = 65_536;

  /** RFC 9512. */
  static final String YAML = "application/yaml";

  private static final int VERSION_MAX = 1_000_000;

  private Versioned() {}

  /**
   * Profiles or endpoints.
   *
   * @param one in words, such as "a profile"
   * @param path of their list at the service
   */
  record Kind(String one, String path) {}

  /** The octets of a file. Fails if it is longer than one may be. */
  static byte[] read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(FILE_MAX + 1);
      if (content.length > FILE_MAX) {
        throw Failure.of(file + " is longer than " + FILE_MAX + " octets");
      }
      return content;
    } catch (IOException e) {
      throw Failure.of("cannot read " + file);
    }
  }

  /** Steps about one of them. */
  abstract static class OfOne extends NamedCommand {
    private final Kind kind;

    OfOne(Console console, Kind kind) {
      super(console, kind.one());
      this.kind = kind;
    }

    final String path() {
      return kind.path() + "/" + name();
    }

    static void checkVersion(int version) {
      if (version < 1 || version > VERSION_MAX) {
        throw Failure.usage("'" + version + "' is not a version");
      }
    }

    final JsonNode versions(Service service) {
      return service.ask(Call.get(path() + "/versions")).json();
    }

    /** The file of a stored version. */
    final String file(Service service, int version) {
      Call call =
          new Call("GET", path() + "/versions/" + version, Map.of("Accept", YAML), new byte[0]);
      Reply reply = service.ask(call);
      if (reply.body().length > FILE_MAX) {
        throw Failure.of("version " + version + " is longer than " + kind.one() + " can be");
      }
      return reply.text();
    }
  }

  /** Stores a version. */
  abstract static class Add extends ServiceCommand {
    @Parameters(paramLabel = "FILE", description = "its file, YAML")
    private Path file = Path.of("");

    @Mixin private ActOutput output = new ActOutput();

    private final Kind kind;
    private final String next;
    private byte[] content = new byte[0];

    /** Says {@code next}, with name and version, of what is stored. */
    Add(Console console, Kind kind, String next) {
      super(console);
      this.kind = kind;
      this.next = next;
    }

    @Override
    protected final Purpose purpose() {
      return Purpose.ADMINISTER;
    }

    @Override
    protected final void check() {
      content = read(file);
    }

    @Override
    protected final int run(Service service) {
      Reply reply = service.ask(Call.post(kind.path(), YAML, "application/json", content));
      JsonNode stored = reply.json();
      if (!Approvals.waits(reply, console())) {
        String name = stored.path("name").asString("");
        int version = stored.path("version").asInt(0);
        console().note("stored %s version %d; %s %s %d", name, version, next, name, version);
      }
      output.print(stored, console());
      return 0;
    }
  }

  /** Makes a stored version the active one. */
  abstract static class Activate extends OfOne {
    @Parameters(paramLabel = "VERSION", description = "the stored version's number")
    private int version;

    @Mixin private ActOutput output = new ActOutput();

    private final String does;

    /** For what "does by" the active version, such as "issues". */
    Activate(Console console, Kind kind, String does) {
      super(console, kind);
      this.does = does;
    }

    @Override
    protected final void check() {
      super.check();
      checkVersion(version);
    }

    /** Names the activation that it follows: of two administrators at once one gets an error. */
    @Override
    protected final int run(Service service) {
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
          name() + " " + does + " by version " + version + " within seconds, on every node");
    }
  }

  /** Lists the stored versions. */
  abstract static class Versions extends OfOne {
    @Option(names = "--json", description = "one JSON document instead of a table")
    private boolean json;

    private final String byFile;

    /** Says {@code byFile} where no stored version is active. */
    Versions(Console console, Kind kind, String byFile) {
      super(console, kind);
      this.byFile = byFile;
    }

    /** What the node asked does, such as "issues by 3", and why it refuses what is active. */
    abstract String standing(JsonNode versions);

    static String refused(JsonNode standing) {
      String refused = standing.path("refused").asString("");
      return refused.isEmpty() ? "" : " and refuses what is active: " + refused;
    }

    @Override
    protected final int run(Service service) {
      JsonNode versions = versions(service);
      if (json) {
        console().raw(Json.line(versions));
        return 0;
      }
      int active = versions.path("active").path("version").asInt(0);
      console()
          .say(
              "active: %s; the node asked %s",
              active == 0 ? "none, so each node " + byFile : active + "", standing(versions));
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
