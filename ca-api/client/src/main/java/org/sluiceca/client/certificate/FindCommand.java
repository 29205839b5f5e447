package org.sluiceca.client.certificate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Query;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Csv;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code sluice find}: certificates by what they say, page after page to the end. */
@Command(
    name = "find",
    description = {
      "Search certificates, or export them.",
      "www* matches a prefix, *.example.com every name below it.",
      "--json prints one object a line, --csv one record, both without a limit: to export."
    },
    footer = {
      "",
      "Examples:",
      "  sluice find --san '*.example.com' --status valid --expires-within 30",
      "  sluice find --as-admin --csv > certificates.csv"
    })
public final class FindCommand extends ServiceCommand {
  private static final int PAGE = 200;
  private static final int DAYS_MAX = 36_500;

  private static final Csv CSV =
      new Csv(
          "serial",
          "status",
          "subject",
          "subjectAltNames",
          "issuer",
          "profile",
          "requester",
          "notBefore",
          "notAfter",
          "issuedAt",
          "reason",
          "revocationDate");

  /** What a search looks at; empty is not looked at. */
  enum Status {
    valid,
    revoked,
    expired
  }

  @Option(names = "--subject", paramLabel = "TEXT", description = "text of the subject")
  private @Nullable String subject;

  @Option(names = "--san", paramLabel = "S", description = "a subjectAltName")
  private @Nullable String san;

  @Option(names = "--profile", paramLabel = "P", description = "the profile it was issued by")
  private @Nullable String profile;

  @Option(names = "--requester", paramLabel = "R", description = "who enrolled it")
  private @Nullable String requester;

  @Option(names = "--issuer", paramLabel = "I", description = "the issuer's name")
  private @Nullable String issuer;

  @Option(names = "--status", paramLabel = "S", description = "${COMPLETION-CANDIDATES}")
  private @Nullable Status status;

  @Option(names = "--expires-within", paramLabel = "DAYS", description = "1 to 36500")
  private @Nullable Integer days;

  @Option(names = "--json", description = "JSON lines instead of a table")
  private boolean json;

  @Option(names = "--csv", description = "CSV instead of a table, UTF-8")
  private boolean csv;

  @Option(
      names = "--as-admin",
      description = "use the administrator's credential: see all requesters")
  private boolean asAdmin;

  /** Prints on {@code console}. */
  public FindCommand(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return asAdmin ? Purpose.ADMINISTER : Purpose.ENROLL;
  }

  @Override
  protected void check() {
    if (json && csv) {
      throw Failure.usage("--json and --csv are two formats: which one?");
    }
    if (days != null && (days < 1 || days > DAYS_MAX)) {
      throw Failure.usage("--expires-within is a number from 1 to " + DAYS_MAX + ", not " + days);
    }
  }

  @Override
  protected int run(Service service) {
    // One time for all pages: the cursor belongs to one search.
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    String cursor = "";
    String asked;
    do {
      asked = cursor;
      service.renewPatience();
      JsonNode page = service.ask(Call.get("/v1/certificates" + query(now, cursor))).json();
      if (csv && asked.isEmpty()) {
        console().raw(CSV.header());
      }
      page.path("certificates").values().forEach(this::print);
      cursor = page.path("next").asString("");
      if (cursor.equals(asked) && !cursor.isEmpty()) {
        throw Failure.of("the service gives the same page again: the search is not complete");
      }
    } while (!cursor.isEmpty());
    return 0;
  }

  private void print(JsonNode certificate) {
    if (json) {
      console().raw(Json.line(certificate));
    } else if (csv) {
      console().raw(CSV.record(certificate));
    } else {
      console().line(line(certificate));
    }
  }

  private Query query(Instant now, String cursor) {
    Query query =
        new Query()
            .put("limit", Integer.toString(PAGE))
            .put("subject", subject)
            .put("san", san)
            .put("profile", profile)
            .put("requester", requester)
            .put("issuer", issuer)
            .put("status", status == null ? null : status.name());
    if (days != null) {
      query
          .put("expiresAfter", now.toString())
          .put("expiresBefore", now.plus(Duration.ofDays(days)).toString());
    }
    return query.put("cursor", cursor);
  }

  private static String line(JsonNode certificate) {
    return String.join(
        "  ",
        text(certificate, "serial"),
        String.format(Locale.ROOT, "%-7s", text(certificate, "status")),
        text(certificate, "notAfter"),
        text(certificate, "profile"),
        text(certificate, "requester"),
        text(certificate, "subject"));
  }

  private static String text(JsonNode certificate, String name) {
    return certificate.path(name).asString("-");
  }
}
