package org.sluiceca.client.operate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Problem;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code sluice profile check} and {@code lint}, {@code endpoint check}: what adding would answer.
 */
final class VersionedCheck {
  private static final String PROFILES = "/v1/profiles:check";
  private static final String ENDPOINTS = "/v1/endpoints:check";
  private static final String FAULTS = "faults";
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;

  private VersionedCheck() {}

  /** Has the service judge each file as it would if the file were added; stores none. */
  abstract static class OfFiles extends ServiceCommand {
    @Parameters(arity = "1..200", paramLabel = "FILE", description = "files, YAML")
    private List<Path> files = List.of();

    private final String path;
    private final List<byte[]> contents = new ArrayList<>();

    OfFiles(Console console, String path) {
      super(console);
      this.path = path;
    }

    @Override
    protected final Purpose purpose() {
      return Purpose.ADMINISTER;
    }

    @Override
    protected final void check() {
      files.forEach(file -> contents.add(Versioned.read(file)));
    }

    /** Prints what the service says of a file that could be stored. */
    abstract void sound(Path file, JsonNode checked);

    /** Prints why a file cannot be stored: each fault in a line of its own. */
    void refused(Path file, Reply reply) {
      JsonNode faults = reply.json().path(FAULTS);
      List<String> lines =
          faults.isEmpty()
              ? List.of(reply.problem().detail())
              : faults.valueStream().map(fault -> fault.asString("")).toList();
      // The service does not know what the file is called here.
      lines.forEach(
          line -> console().note("%s: %s", file, line.replaceFirst("^profile file: ", "")));
    }

    @Override
    protected final int run(Service service) {
      int refused = 0;
      for (int i = 0; i < files.size(); i++) {
        service.renewPatience();
        Reply reply =
            service.reply(Call.post(path, Versioned.YAML, "application/json", contents.get(i)));
        if (reply.status() / 100 == 2) {
          sound(files.get(i), reply.json());
        } else if (isAboutTheFile(reply)) {
          refused(files.get(i), reply);
          refused++;
        } else if (reply.status() == NOT_FOUND) {
          throw Failure.of("the service is older than this client: it checks no such files");
        } else {
          throw Failure.of(service.refusal(reply));
        }
      }
      if (refused > 0 && files.size() > 1) {
        console().note("%d of %d files cannot be stored", refused, files.size());
      }
      return refused == 0 ? 0 : Failure.FAILED;
    }

    private static boolean isAboutTheFile(Reply reply) {
      return (reply.status() == INVALID || reply.status() == CONFLICT)
          && !reply.problem().detail().isEmpty();
    }
  }

  /** In words, or as JSON lines. */
  abstract static class InWordsOrJson extends OfFiles {
    @Option(names = "--json", description = "JSON lines, one for each file")
    private boolean json;

    private final String kind;

    InWordsOrJson(Console console, String path, String kind) {
      super(console, path);
      this.kind = kind;
    }

    abstract List<String> words(String file, JsonNode checked);

    @Override
    final void sound(Path file, JsonNode checked) {
      if (json) {
        ObjectNode line = line(file, true);
        line.set(kind, checked);
        console().raw(Json.line(line));
        return;
      }
      words(file.toString(), checked).forEach(console()::line);
    }

    @Override
    final void refused(Path file, Reply reply) {
      super.refused(file, reply);
      if (json) {
        Problem problem = reply.problem();
        ObjectNode line = line(file, false);
        ObjectNode said =
            line.putObject("problem")
                .put("status", problem.status())
                .put("type", problem.type())
                .put("title", problem.title())
                .put("detail", problem.detail());
        if (reply.json().path(FAULTS).isArray()) {
          said.set(FAULTS, reply.json().path(FAULTS));
        }
        console().raw(Json.line(line));
      }
    }

    private static ObjectNode line(Path file, boolean isSound) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("file", file.toString())
          .put("sound", isSound);
    }
  }

  @Command(
      name = "check",
      description = {
        "Say what adding profile files would answer, and what the profiles allow.",
        "Nothing is stored. The exit code is 1 if a file cannot be stored."
      },
      footer = {"", "Example:", "  sluice profile check web.yaml"})
  static final class OfProfiles extends InWordsOrJson {
    OfProfiles(Console console) {
      super(console, PROFILES, "profile");
    }

    @Override
    List<String> words(String file, JsonNode profile) {
      return ProfileWords.of(file, profile);
    }
  }

  @Command(
      name = "check",
      description = {
        "Say what adding files of endpoints would answer, with every fault of each file,",
        "and what their activation would change.",
        "Nothing is stored. The exit code is 1 if a file cannot be stored."
      },
      footer = {"", "Example:", "  sluice endpoint check internal.yaml"})
  static final class OfEndpoints extends InWordsOrJson {
    OfEndpoints(Console console) {
      super(console, ENDPOINTS, "endpoint");
    }

    @Override
    List<String> words(String file, JsonNode endpoint) {
      List<String> lines = new ArrayList<>();
      lines.add(ProfileWords.heading(file, endpoint));
      JsonNode active = endpoint.path("active");
      JsonNode changes = endpoint.path("changes");
      lines.add("  " + heading(active, changes.isEmpty()));
      Table table = new Table("KEY", "BEFORE", "AFTER");
      for (JsonNode change : changes.values()) {
        table.row(
            change.path("key").asString("-"),
            change.path("before").asString("-"),
            change.path("after").asString("-"));
      }
      if (!changes.isEmpty()) {
        table.lines().forEach(line -> lines.add("  " + line));
      }
      return lines;
    }
  }

  private static String heading(JsonNode active, boolean isSame) {
    if (active.isMissingNode()) {
      return "nothing is active under this name; it would have:";
    }
    String what =
        active.path("source").asString("").equals("stored")
            ? "the active version "
            : "the file of the node asked, version ";
    return (isSame ? "it changes nothing against " : "it changes, against ")
        + what
        + active.path("version").asInt(0)
        + (isSame ? "" : ":");
  }

  @Command(
      name = "lint",
      description = {
        "Say what adding profile files would answer, in a line each.",
        "Nothing is stored. The exit code is 1 if a file cannot be stored."
      },
      footer = {"", "Example:", "  sluice profile lint web.yaml mail.yaml"})
  static final class Lint extends OfFiles {
    Lint(Console console) {
      super(console, PROFILES);
    }

    @Override
    void sound(Path file, JsonNode profile) {
      console()
          .line(
              ProfileWords.heading(file.toString(), profile)
                  + ", digest "
                  + profile.path("digest").asString("-")
                  + ", file sha256 "
                  + profile.path("sha256").asString("-"));
    }
  }
}
