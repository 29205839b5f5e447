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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice profile check} and {@code lint}: what adding files would answer. */
final class ProfileCheck {
  private static final String PATH = "/v1/profiles:check";
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;

  private ProfileCheck() {}

  /** Has the service judge each file as it would if the file were added; stores none. */
  abstract static class OfFiles extends ServiceCommand {
    @Parameters(arity = "1..200", paramLabel = "FILE", description = "profile files, YAML")
    private List<Path> files = List.of();

    private final List<byte[]> contents = new ArrayList<>();

    OfFiles(Console console) {
      super(console);
    }

    @Override
    protected final Purpose purpose() {
      return Purpose.ADMINISTER;
    }

    @Override
    protected final void check() {
      files.forEach(file -> contents.add(ProfileCommand.read(file)));
    }

    /** Prints what the service says of a file that could be stored. */
    abstract void sound(Path file, JsonNode profile);

    /** Prints why a file cannot be stored. */
    void refused(Path file, Problem problem) {
      // The service does not know what the file is called here.
      console().note("%s: %s", file, problem.detail().replaceFirst("^profile file: ", ""));
    }

    @Override
    protected final int run(Service service) {
      int refused = 0;
      for (int i = 0; i < files.size(); i++) {
        service.renewPatience();
        Reply reply =
            service.reply(Call.post(PATH, "application/yaml", "application/json", contents.get(i)));
        if (reply.status() / 100 == 2) {
          sound(files.get(i), reply.json());
        } else if (isAboutTheFile(reply)) {
          refused(files.get(i), reply.problem());
          refused++;
        } else if (reply.status() == NOT_FOUND) {
          throw Failure.of("the service is older than this client: it checks no profiles");
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

  @Command(
      name = "check",
      description = {
        "Say what adding profile files would answer, and what the profiles allow.",
        "Nothing is stored. The exit code is 1 if a file cannot be stored."
      },
      footer = {"", "Example:", "  sluice profile check web.yaml"})
  static final class Check extends OfFiles {
    @Option(names = "--json", description = "JSON lines, one for each file")
    private boolean json;

    Check(Console console) {
      super(console);
    }

    @Override
    void sound(Path file, JsonNode profile) {
      if (json) {
        ObjectNode line = line(file, true);
        line.set("profile", profile);
        console().raw(Json.line(line));
        return;
      }
      ProfileWords.of(file.toString(), profile).forEach(console()::line);
    }

    @Override
    void refused(Path file, Problem problem) {
      super.refused(file, problem);
      if (json) {
        ObjectNode line = line(file, false);
        line.putObject("problem")
            .put("status", problem.status())
            .put("type", problem.type())
            .put("title", problem.title())
            .put("detail", problem.detail());
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
      name = "lint",
      description = {
        "Say what adding profile files would answer, in a line each.",
        "Nothing is stored. The exit code is 1 if a file cannot be stored."
      },
      footer = {"", "Example:", "  sluice profile lint web.yaml mail.yaml"})
  static final class Lint extends OfFiles {
    Lint(Console console) {
      super(console);
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
