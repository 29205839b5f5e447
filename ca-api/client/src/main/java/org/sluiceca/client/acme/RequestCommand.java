package org.sluiceca.client.acme;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
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

/** {@code sluice request …}: requests that have no certificate yet, such as orders of ACME. */
@Command(
    name = "request",
    description = "List requests of ACME that wait or were refused, and show why.",
    footer = {"", "Example:", "  sluice request list --state refused"},
    mixinStandardHelpOptions = true,
    subcommands = {RequestCommand.ListAll.class, RequestCommand.Show.class})
public final class RequestCommand {
  private static final String PATH = "/v1/requests";

  /** The states that the service can list; the names are those of its query. */
  enum State {
    OPEN,
    PROCESSING,
    REFUSED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Command(
      name = "list",
      description = {
        "List requests of one state: `open` ones wait for proofs of names or for the CSR,",
        "`processing` ones for the HSM, `refused` ones were refused after their CSR came,",
        "the newest first. --json prints one a line."
      },
      footer = {"", "Example:", "  sluice request list --state processing"})
  static final class ListAll extends ServiceCommand {
    /** What a page holds at most. */
    private static final int PAGE_MAX = 1000;

    @Option(
        names = "--state",
        paramLabel = "STATE",
        defaultValue = "open",
        description = "open, processing or refused (${DEFAULT-VALUE})")
    private String state = "";

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
    protected void check() {
      for (State known : State.values()) {
        if (known.toString().equals(state)) {
          return;
        }
      }
      throw Failure.usage("--state is open, processing or refused, not '" + state + "'");
    }

    @Override
    protected int run(Service service) {
      Pages pages = new Pages(PATH);
      Optional<String> next = Optional.of(PATH + "?state=" + state);
      while (next.isPresent()) {
        service.renewPatience();
        Reply reply = service.ask(Call.get(next.get()));
        JsonNode page = reply.json();
        if (!page.isArray() || page.size() > PAGE_MAX) {
          throw Failure.of("the answer is not a page of requests");
        }
        if (json) {
          page.values().forEach(request -> console().raw(Json.line(request)));
        } else {
          table(page).lines().forEach(console()::line);
        }
        next = pages.after(reply);
      }
      return 0;
    }

    private static Table table(JsonNode page) {
      Table table = new Table("ID", "ENDPOINT", "REQUESTER", "STATE", "CREATED", "NAMES", "REASON");
      for (JsonNode request : page.values()) {
        table.row(
            request.path("id").asString("-"),
            request.path("endpoint").asString("-"),
            request.path("requester").asString("-"),
            request.path("state").asString("-"),
            request.path("createdAt").asString("-"),
            request.path("names").values().stream()
                .map(name -> name.path("value").asString("-"))
                .collect(Collectors.joining(",")),
            request.path("refusal").path("detail").asString("-"));
      }
      return table;
    }
  }

  @Command(
      name = "show",
      description = {
        "Print one request, JSON: its state, the proofs that are missing and why the last",
        "attempt failed, or why it was refused. Of one that was recorded it has the serial",
        "number: `sluice order` and `sluice get` go on from there."
      },
      footer = {"", "Example:", "  sluice request show fFb2UEsVxYwUs0VsLKCz2Q"})
  static final class Show extends ServiceCommand {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{22}");

    @Parameters(
        paramLabel = "ID",
        description = "as `list` prints it, or the end of the URL of an order of ACME")
    private String id = "";

    @Option(names = "--json", description = "the service's JSON document, in one line")
    private boolean json;

    Show(Console console) {
      super(console);
    }

    @Override
    protected Purpose purpose() {
      return Purpose.ADMINISTER;
    }

    @Override
    protected void check() {
      if (!ID.matcher(id).matches()) {
        throw Failure.usage("'" + id + "' is not the id of a request");
      }
    }

    @Override
    protected int run(Service service) {
      JsonNode request = service.ask(Call.get(PATH + "/" + id)).json();
      console().raw(json ? Json.line(request) : Json.pretty(request));
      return 0;
    }
  }
}
