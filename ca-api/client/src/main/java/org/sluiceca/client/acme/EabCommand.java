package org.sluiceca.client.acme;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Pages;
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

/** {@code sluice eab …}: external account bindings of ACME. */
@Command(
    name = "eab",
    description = "Make, list and revoke external account bindings of ACME.",
    footer = {
      "",
      "Examples:",
      "  sluice eab add --endpoint internal --requester team-a \\",
      "    --names '*.corp.example'",
      "  sluice eab list"
    },
    mixinStandardHelpOptions = true,
    subcommands = {EabAdd.class, EabCommand.ListAll.class, EabCommand.Revoke.class})
public final class EabCommand {
  private static final int NOT_FOUND = 404;

  /** What a page holds at most. */
  private static final int PAGE_MAX = 1000;

  @Command(
      name = "list",
      description = {
        "List all external account bindings, the oldest first. --json prints one a line.",
        "A table has 1000 rows at most; then another one follows."
      },
      footer = {"", "Example:", "  sluice eab list"})
  static final class ListAll extends ServiceCommand {
    @Option(names = "--json", description = "JSON lines instead of a table")
    private boolean json;

    ListAll(Console console) {
      super(console);
    }

    @Override
    protected Purpose purpose() {
      return Purpose.ADMINISTER;
    }

    @Override
    protected int run(Service service) {
      Pages.read(
          service,
          Binding.PATH,
          PAGE_MAX,
          "external account bindings",
          page -> {
            if (json) {
              page.values().forEach(binding -> console().raw(Json.line(binding)));
            } else {
              table(page).lines().forEach(console()::line);
            }
            return false;
          });
      return 0;
    }

    private static Table table(JsonNode page) {
      Table table =
          new Table("KID", "ENDPOINT", "REQUESTER", "SINGLE", "EXPIRES", "REVOKED", "NAMES");
      for (JsonNode binding : page.values()) {
        table.row(
            text(binding, "kid"),
            text(binding, "endpoint"),
            text(binding, "requester"),
            binding.path("single").asBoolean(false) ? "yes" : "no",
            text(binding, "expiresAt"),
            text(binding, "revokedAt"),
            binding.path("names").values().stream()
                .map(name -> name.asString("-"))
                .collect(Collectors.joining(",")));
      }
      return table;
    }

    private static String text(JsonNode binding, String name) {
      return binding.path(name).asString("-");
    }
  }

  @Command(
      name = "revoke",
      description = {
        "Revoke external account bindings: they make no account any more, and their",
        "accounts make no order. Certificates stay valid."
      },
      footer = {"", "Example:", "  sluice eab revoke c2x1aWNlLWtpZC1leGFtcA"})
  static final class Revoke extends ServiceCommand {
    @Parameters(
        arity = "1..*",
        paramLabel = "KID",
        description = "as `list` prints it; -- before one that begins with a hyphen")
    private List<String> kids = new ArrayList<>();

    @Option(names = "--json", description = "JSON lines: a document for each that is revoked")
    private boolean json;

    Revoke(Console console) {
      super(console);
    }

    @Override
    protected Purpose purpose() {
      return Purpose.ADMINISTER;
    }

    @Override
    protected void check() {
      for (String kid : kids) {
        if (!Binding.isKid(kid)) {
          throw Failure.usage("'" + kid + "' is not the kid of an external account binding");
        }
      }
    }

    /** One that is not there keeps no other from being revoked. */
    @Override
    protected int run(Service service) {
      List<String> unknown = new ArrayList<>();
      for (String kid : kids.stream().distinct().toList()) {
        Reply reply = service.reply(Call.delete(Binding.PATH + "/" + kid));
        if (reply.status() == NOT_FOUND && reply.problem().isTyped()) {
          unknown.add(kid);
          continue;
        }
        if (reply.status() / 100 != 2) {
          throw Failure.of(kid + " is not revoked: " + service.refusal(reply));
        }
        console().say("revoked %s", kid);
        if (json) {
          console()
              .raw(
                  Json.line(
                      JsonNodeFactory.instance
                          .objectNode()
                          .put("kid", kid)
                          .put("status", "revoked")));
        }
      }
      if (!unknown.isEmpty()) {
        throw Failure.of(
            "no external account binding "
                + String.join(", ", unknown)
                + ": sluice eab list shows them");
      }
      return 0;
    }
  }
}
