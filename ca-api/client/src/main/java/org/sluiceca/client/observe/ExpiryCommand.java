package org.sluiceca.client.observe;

import java.util.List;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Query;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Csv;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code sluice expiry}: how many certificates expire soon. */
@Command(
    name = "expiry",
    description = {
      "Count what expires soon, by week, profile and requester.",
      "Revoked ones are counted, too. It asks by the administrator's credential."
    },
    footer = {"", "Example:", "  sluice expiry --within 60"})
public final class ExpiryCommand extends ServiceCommand {
  private static final int DAYS_MAX = 366;

  /** What the service counts at most (docs/protocols/REST.md). */
  private static final int LINES_MAX = 5000;

  private static final Csv CSV = new Csv("week", "profile", "requester", "certificates", "revoked");

  @Option(
      names = "--within",
      paramLabel = "DAYS",
      defaultValue = "30",
      description = "days after today, in UTC: 1 to 366 (${DEFAULT-VALUE})")
  private int days;

  @Option(names = "--json", description = "the service's JSON document")
  private boolean json;

  @Option(names = "--csv", description = "CSV instead of a table, UTF-8")
  private boolean csv;

  /** Prints on {@code console}. */
  public ExpiryCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    if (json && csv) {
      throw Failure.usage("--json and --csv are two formats: which one?");
    }
    if (days < 1 || days > DAYS_MAX) {
      throw Failure.usage("--within is a number from 1 to " + DAYS_MAX + ", not " + days);
    }
  }

  @Override
  protected int run(Service service) {
    Query query = new Query().put("withinDays", Integer.toString(days));
    JsonNode report = service.ask(Call.get("/v1/reports/expiry" + query)).json();
    if (json) {
      console().raw(Json.line(report));
    } else if (csv) {
      console().raw(CSV.header());
      report.path("lines").values().forEach(line -> console().raw(CSV.record(line)));
    } else {
      print(report);
    }
    if (!report.path("complete").asBoolean(false)) {
      console().note("the report is cut off: ask for fewer days");
    }
    // The report ends with the last day; the search ends that many times 24 hours from now.
    console()
        .say("to list them: sluice find --as-admin --status valid --expires-within %d", days + 1);
    return 0;
  }

  private void print(JsonNode report) {
    List<JsonNode> lines = Cells.elements(report, "lines", LINES_MAX);
    console()
        .say(
            "from %s to the end of the day before %s; weeks begin on Thursdays",
            Cells.text(report, "from"), Cells.text(report, "before"));
    Table table = new Table("WEEK", "PROFILE", "REQUESTER", "CERTIFICATES", "REVOKED");
    for (JsonNode line : lines) {
      table.row(
          Cells.text(line, "week"),
          Cells.text(line, "profile"),
          Cells.text(line, "requester"),
          Cells.count(line, "certificates"),
          Cells.count(line, "revoked"));
    }
    table.lines().forEach(console()::line);
  }
}
