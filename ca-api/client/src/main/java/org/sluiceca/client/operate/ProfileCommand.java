package org.sluiceca.client.operate;

import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.operate.Versioned.Kind;
import org.sluiceca.client.output.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code sluice profile …}: versions of profiles, stored and activated while nodes run. */
@Command(
    name = "profile",
    description = "Check and store versions of profiles and say which one is used.",
    mixinStandardHelpOptions = true,
    subcommands = {
      VersionedCheck.OfProfiles.class,
      VersionedCheck.Lint.class,
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
  static final Kind KIND = new Kind("a profile", "/v1/profiles");

  @Command(
      name = "add",
      description = "Store a version of a profile; it is not used until it is activated.",
      footer = {"", "Example:", "  sluice profile add web.yaml"})
  static final class Add extends Versioned.Add {
    Add(Console console) {
      super(console, KIND, "to use it: sluice profile activate");
    }
  }

  @Command(
      name = "activate",
      description = "Use a stored version, on every node within seconds.",
      footer = {"", "Example:", "  sluice profile activate tls-server 4"})
  static final class Activate extends Versioned.Activate {
    Activate(Console console) {
      super(console, KIND, "issues");
    }
  }

  @Command(
      name = "file",
      description = "Use each node's own profile file again.",
      footer = {"", "Example:", "  sluice profile file tls-server"})
  static final class OwnFile extends Versioned.OfOne {
    @Mixin private ActOutput output = new ActOutput();

    OwnFile(Console console) {
      super(console, KIND);
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
  static final class Versions extends Versioned.Versions {
    Versions(Console console) {
      super(console, KIND, "issues by its own file");
    }

    @Override
    String standing(JsonNode versions) {
      return "issues by " + versions.path("issuing").asString("none") + refused(versions);
    }
  }
}
