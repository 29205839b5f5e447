package org.sluiceca.client.operate;

import java.util.regex.Pattern;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code sluice approval …}: acts that wait for a second person. */
@Command(
    name = "approval",
    description = "Read, approve, refuse or withdraw what waits for a second person.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ApprovalCommand.ListAll.class,
      ApprovalCommand.Show.class,
      ApprovalCommand.Approve.class,
      ApprovalCommand.Refuse.class,
      ApprovalCommand.Withdraw.class
    },
    footer = {"", "Example:", "  sluice approval list"})
public final class ApprovalCommand {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /** Steps about one approval. */
  abstract static class OfOne extends IdCommand {
    OfOne(Console console) {
      super(console, "an approval");
    }

    String path() {
      return "/v1/approvals/" + id();
    }
  }

  /** Steps that end an approval, one way or another. */
  abstract static class Act extends OfOne {
    @Option(names = "--json", description = "one JSON document: the approval as it is then")
    private boolean json;

    Act(Console console) {
      super(console);
    }

    /** Sends it, says how the approval stands and prints it; fails if the act itself failed. */
    final int act(Service service, Call call) {
      JsonNode approval = service.ask(call).json();
      String status = approval.path("status").asString("");
      String detail = approval.path("detail").asString("");
      if (json) {
        console().raw(Json.line(approval));
      }
      if (status.equals("failed")) {
        throw Failure.of("approved, but it could not be done any more: " + detail);
      }
      console().note("%s%s", status, detail.isEmpty() ? "" : ": " + detail);
      return 0;
    }
  }

  /** Steps that decide about the content that was read. */
  abstract static class Decision extends Act {
    @Parameters(paramLabel = "SHA256", description = "of the content, as `approval show` prints it")
    private String sha256 = "";

    Decision(Console console) {
      super(console);
    }

    @Override
    protected void check() {
      super.check();
      if (!SHA256.matcher(sha256).matches()) {
        throw Failure.usage("'" + sha256 + "' is not the sha256 that `approval show` prints");
      }
    }

    final int decide(Service service, String what) {
      return act(
          service,
          Call.send(
              "POST",
              path() + "/" + what,
              JsonNodeFactory.instance.objectNode().put("sha256", sha256)));
    }
  }

  @Command(
      name = "list",
      description = "List approvals, the newest first.",
      footer = {"", "Example:", "  sluice approval list"})
  static final class ListAll extends ListCommand {
    ListAll(Console console) {
      super(console, Purpose.ADMINISTER, "/v1/approvals");
    }

    @Override
    Table table(JsonNode approvals) {
      Table table = new Table("ID", "ACTION", "STATUS", "ASKED BY", "ASKED AT");
      for (JsonNode a : approvals.values()) {
        table.row(
            a.path("id").asString("-"),
            a.path("action").asString("-"),
            a.path("status").asString("-"),
            a.path("askedBy").asString("-"),
            a.path("askedAt").asString("-"));
      }
      return table;
    }
  }

  @Command(
      name = "show",
      description = "Print one approval with its content, JSON.",
      footer = {"", "Example:", "  sluice approval show 0d5c7a0e-6f0f-4a6e-9f0e-2f6f7a1f0b11"})
  static final class Show extends OfOne {
    @Option(names = "--json", description = "the service's JSON document, in one line")
    private boolean json;

    Show(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      JsonNode approval = service.ask(Call.get(path())).json();
      console().raw(json ? Json.line(approval) : Json.pretty(approval));
      return 0;
    }
  }

  @Command(
      name = "approve",
      description = "Approve exactly the content whose SHA256 you have read.",
      footer = {"", "Example:", "  sluice approval approve ID SHA256"})
  static final class Approve extends Decision {
    Approve(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      return decide(service, "approval");
    }
  }

  @Command(
      name = "refuse",
      description = "Refuse it.",
      footer = {"", "Example:", "  sluice approval refuse ID SHA256"})
  static final class Refuse extends Decision {
    Refuse(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      return decide(service, "refusal");
    }
  }

  @Command(
      name = "withdraw",
      description = "Take back what you asked for.",
      footer = {"", "Example:", "  sluice approval withdraw ID"})
  static final class Withdraw extends Act {
    Withdraw(Console console) {
      super(console);
    }

    @Override
    protected int run(Service service) {
      return act(service, Call.delete(path()));
    }
  }
}
