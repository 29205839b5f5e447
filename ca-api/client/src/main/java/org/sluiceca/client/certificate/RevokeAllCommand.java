package org.sluiceca.client.certificate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Approvals;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice revoke-all}: counts, and revokes only what a count has shown. */
@Command(
    name = "revoke-all",
    description = {
      "Revoke many certificates, after a count of them.",
      "Without --confirm it counts them and prints what to confirm;",
      "with --confirm it revokes exactly what was counted, within a quarter of an hour."
    },
    footer = {
      "",
      "Example:",
      "  sluice revoke-all --requester web --reason keyCompromise --dry-run"
    })
public final class RevokeAllCommand extends ServiceCommand {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
  private static final Pattern TIME = Pattern.compile("[0-9TZ:.+-]{10,40}");
  private static final Pattern CONFIRMATION = Pattern.compile("[0-9a-f]{64}");

  /**
   * A count reads the ledger from end to end: ten minutes at most, and a node says when it gives
   * up.
   */
  private static final Duration COUNT = Duration.ofMinutes(11);

  @Option(names = "--requester", paramLabel = "R", description = "what this requester enrolled")
  private @Nullable String requester;

  @Option(names = "--profile", paramLabel = "P", description = "what this profile issued")
  private @Nullable String profile;

  @Option(names = "--issuer", paramLabel = "I", description = "what this issuer signed")
  private @Nullable String issuer;

  @Option(names = "--issued-after", paramLabel = "T", description = "like 2026-01-31T12:00:00Z")
  private @Nullable String after;

  @Option(names = "--issued-before", paramLabel = "T", description = "like 2026-01-31T12:00:00Z")
  private @Nullable String before;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "REASON",
      description = "as in RFC 5280: keyCompromise, …")
  private String reason = "";

  @Option(names = "--dry-run", description = "count only; exit code 0")
  private boolean dryRun;

  @Option(names = "--confirm", paramLabel = "C", description = "what the count has printed")
  private @Nullable String confirmation;

  @Option(names = "--json", description = "one JSON document: the count, the job or the approval")
  private boolean json;

  /** Prints on {@code console}. */
  public RevokeAllCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    RevokeCommand.checkReason(reason);
    if (confirmation != null && !CONFIRMATION.matcher(confirmation).matches()) {
      throw Failure.usage("--confirm is what the count has printed, 64 hexadecimal digits");
    }
    if (requester == null && profile == null && issuer == null) {
      throw Failure.usage("revoke-all needs --requester, --profile or --issuer");
    }
    selection();
  }

  @Override
  protected int run(Service service) {
    if (confirmation != null && !dryRun) {
      Reply reply =
          service.ask(
              Call.send("POST", "/v1/revocations", body(false).put("confirmation", confirmation)));
      if (!Approvals.waits(reply, console())) {
        return await(service, reply);
      }
      printIfAsked(reply.json());
      return 0;
    }
    JsonNode count = service.ask(Call.send("POST", "/v1/revocations", body(true)), COUNT).json();
    String shown = count.path("confirmation").asString("");
    if (!CONFIRMATION.matcher(shown).matches()) {
      throw Failure.of("the answer holds no count");
    }
    if (!printIfAsked(count)) {
      print(count);
    }
    if (count.path("count").asLong(0) == 0) {
      console().say("nothing to revoke");
      return 0;
    }
    console()
        .note("to revoke these within a quarter of an hour: the same with --confirm %s", shown);
    if (!dryRun) {
      throw Failure.of("nothing was revoked");
    }
    return 0;
  }

  private boolean printIfAsked(JsonNode document) {
    if (json) {
      console().raw(Json.line(document));
    }
    return json;
  }

  private ObjectNode body(boolean counts) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("selection", selection());
    return body.put("reason", reason).put("dryRun", counts);
  }

  private ObjectNode selection() {
    ObjectNode selection = JsonNodeFactory.instance.objectNode();
    put(selection, "requester", requester, NAME, "--requester: '%s' is not a name");
    put(selection, "profile", profile, NAME, "--profile: '%s' is not a name");
    put(selection, "issuer", issuer, NAME, "--issuer: '%s' is not a name");
    put(selection, "issuedAfter", after, TIME, "--issued-after is a time, not '%s'");
    put(selection, "issuedBefore", before, TIME, "--issued-before is a time, not '%s'");
    return selection;
  }

  private static void put(
      ObjectNode selection, String name, @Nullable String value, Pattern form, String fault) {
    if (value == null) {
      return;
    }
    if (!form.matcher(value).matches()) {
      throw Failure.usage(fault.replace("%s", value));
    }
    selection.put(name, value);
  }

  /** One line of sums, then a line for each profile and requester, the most first. */
  private void print(JsonNode count) {
    console()
        .line(
            count.path("count").asLong(0)
                + " would be revoked, "
                + count.path("onHold").asLong(0)
                + " on hold stay so, "
                + count.path("refused").asLong(0)
                + " have no revocation information (as of "
                + count.path("asOf").asString("-")
                + ")");
    printEach("Profile", count.path("byProfile"));
    printEach("Requester", count.path("byRequester"));
  }

  private void printEach(String what, JsonNode counts) {
    List<Map.Entry<String, JsonNode>> sorted = new ArrayList<>(counts.properties());
    sorted.sort(Comparator.comparingLong(e -> -e.getValue().asLong(0)));
    for (Map.Entry<String, JsonNode> one : sorted) {
      console().line(what + " " + one.getKey() + ": " + one.getValue().asLong(0));
    }
  }

  private int await(Service service, Reply started) {
    String job =
        started
            .locationId()
            .orElseThrow(() -> Failure.of("the service accepted the request, but named no job"));
    console().say("started as job %s", job);
    Reply last = started;
    while (service.waits(last)) {
      last = service.ask(Call.get("/v1/revocations/" + job));
      JsonNode state = last.json();
      String status = state.path("status").asString("");
      if (status.equals("done")) {
        console()
            .say(
                "revoked %d (%s), %d others were revoked or on hold before",
                state.path("revoked").asLong(0), reason, state.path("alreadyRevoked").asLong(0));
        printIfAsked(state);
        return 0;
      }
      if (!status.equals("pending") && !status.equals("running")) {
        throw Failure.of("job " + job + " ended as " + status + ": " + progress(state));
      }
    }
    throw Failure.of("job " + job + " goes on without this command: " + progress(last.json()));
  }

  private static String progress(JsonNode state) {
    return state.path("revoked").asLong(0)
        + " of "
        + state.path("selected").asLong(0)
        + " are revoked";
  }
}
