package org.sluiceca.client.credential;

import java.util.stream.Collectors;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.ActOutput;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.operate.IdCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code sluice credential …}: tokens and client certificates of requesters. */
@Command(
    name = "credential",
    description = "Register, list, replace and revoke credentials.",
    footer = {
      "",
      "Examples:",
      "  sluice credential add --requester web --roles REQUESTER \\",
      "    --profiles tls-server --out web.token",
      "  sluice credential list"
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      CredentialAdd.class,
      CredentialCommand.ListAll.class,
      CredentialRotate.class,
      CredentialCommand.Revoke.class
    })
public final class CredentialCommand {
  private static final int NOT_FOUND = 404;

  /** The call that revokes a credential. */
  static Call revocation(String id) {
    return Call.delete(CredentialPages.PATH + "/" + id);
  }

  /** Whether an answer to it says that there is no such credential, or not any more. */
  static boolean isGone(Reply reply) {
    return reply.status() == NOT_FOUND && reply.problem().isTyped();
  }

  @Command(
      name = "list",
      description = {
        "List all credentials by requester, the oldest first. --json prints one a line.",
        "A table has 1000 rows at most; then another one follows. USED is the hour in which it was",
        "last used, - if that is not known; a use appears after a minute."
      },
      footer = {"", "Example:", "  sluice credential list"})
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
      CredentialPages.read(
          service,
          page -> {
            if (json) {
              page.values().forEach(credential -> console().raw(Json.line(credential)));
            } else {
              table(page).lines().forEach(console()::line);
            }
            return false;
          });
      return 0;
    }

    private static Table table(JsonNode page) {
      Table table =
          new Table("ID", "REQUESTER", "KIND", "ROLES", "EXPIRES", "REVOKED", "USED", "PROFILES");
      for (JsonNode credential : page.values()) {
        table.row(
            text(credential, "id"),
            text(credential, "requester"),
            text(credential, "kind"),
            words(credential.path("roles")),
            text(credential, "expiresAt"),
            text(credential, "revokedAt"),
            text(credential, "lastUsedAt"),
            words(credential.path("profiles")));
      }
      return table;
    }

    private static String text(JsonNode credential, String name) {
      return credential.path(name).asString("-");
    }

    private static String words(JsonNode list) {
      return list.isEmpty()
          ? "-"
          : list.values().stream().map(one -> one.asString("-")).collect(Collectors.joining(","));
    }
  }

  @Command(
      name = "revoke",
      description = {
        "Refuse a credential from now on, on every node within 5 s, and with it",
        "every token that comes from the same registration by rotation."
      },
      footer = {"", "Example:", "  sluice credential revoke 3f1f6f5e-58b4-4c0a-9b52-0f2f1d5c7a10"})
  static final class Revoke extends IdCommand {
    @Mixin private ActOutput output = new ActOutput();

    Revoke(Console console) {
      super(console, "a credential");
    }

    @Override
    protected int run(Service service) {
      Reply reply = service.reply(revocation(id()));
      if (isGone(reply)) {
        throw Failure.of(
            "no valid credential " + id() + ": sluice credential list shows which are revoked");
      }
      if (reply.status() / 100 != 2) {
        throw Failure.of(service.refusal(reply));
      }
      return output.report(
          reply,
          console(),
          "revoked " + id() + ": refused on every node within 5 s",
          JsonNodeFactory.instance.objectNode().put("id", id()).put("status", "revoked"));
    }
  }
}
