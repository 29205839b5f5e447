package org.sluiceca.client.audit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.Pages;
import org.sluiceca.client.http.Query;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ExportForm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code sluice audit export}: the trail as JSON lines, page after page to the end. */
@Command(
    name = "export",
    description = {
      "Export the audit trail as JSON lines, without a limit; it needs the role AUDITOR.",
      "Checkpoints come first, then rows by chain and sequence, then a line that ends it:",
      "a file without that line is not complete, and --resume goes on after its last line."
    },
    footer = {
      "",
      "Example:",
      "  sluice audit export --from 2026-05-01T00:00:00Z --out trail.ndjson"
    })
final class AuditExport extends ServiceCommand {
  private static final String PATH = "/v1/audit";
  private static final String LINES = "application/x-ndjson";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "recorded then or later, such as 2026-05-01T00:00:00Z")
  private @Nullable String from;

  @Option(names = "--until", paramLabel = "TIME", description = "recorded earlier")
  private @Nullable String until;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      split = ",",
      description = "of these kinds alone; what is left then cannot be verified")
  private List<String> kinds = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "write there, not to standard output; mode 0600")
  private @Nullable Path out;

  @Option(
      names = "--resume",
      description = "go on in --out after its last line, with the same options as before")
  private boolean resume;

  private long checkpoints;
  private long rows;

  /** Prints on {@code console}. */
  AuditExport(Console console) {
    super(console);
  }

  @Override
  protected Purpose purpose() {
    return Purpose.ADMINISTER;
  }

  @Override
  protected void check() {
    if (resume && out == null) {
      throw Failure.usage("--resume needs --out");
    }
    from = time("--from", from);
    until = time("--until", until);
  }

  private static @Nullable String time(String option, @Nullable String text) {
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant().toString();
    } catch (DateTimeException e) {
      throw Failure.usage(option + " is a time like 2026-05-01T00:00:00Z, not " + text);
    }
  }

  @Override
  protected int run(Service service) {
    try (ExportOutput output = ExportOutput.open(console(), out, resume)) {
      if (output.isComplete()) {
        console().say("%s is complete", output);
        return 0;
      }
      checkpoints = output.checkpoints();
      rows = output.rows();
      fetch(service, output);
      boolean isFiltered = from != null || until != null || !kinds.isEmpty();
      AuditRow end =
          ExportForm.end(Instant.now(), new ExportForm.Counts(checkpoints, rows, isFiltered));
      output.write(TrailLine.of(end));
      output.keep();
      console().say("%d rows and %d checkpoints %s", rows, checkpoints, output);
    }
    return 0;
  }

  private void fetch(Service service, ExportOutput output) {
    Pages pages = Pages.endless(PATH);
    Query query = new Query().put("after", output.place()).put("from", from).put("before", until);
    Optional<String> next = Optional.of(PATH + query.put("kind", String.join(",", kinds)));
    while (next.isPresent()) {
      service.renewPatience();
      Reply page = service.ask(new Call("GET", next.get(), Map.of("Accept", LINES), new byte[0]));
      output.write(lines(page));
      next = pages.after(page);
    }
  }

  /** The lines of a page, each of them a row; counted. */
  private String lines(Reply page) {
    StringBuilder text = new StringBuilder();
    page.text()
        .lines()
        .forEach(
            line -> {
              Optional<JsonNode> json = TrailLine.json(line.getBytes(StandardCharsets.UTF_8));
              Optional<AuditRow> row = json.flatMap(TrailLine::row);
              if (row.isEmpty()) {
                throw Failure.of("the service sends a line that is no row: the export is cut off");
              }
              if (ExportForm.isCheckpoint(row.get())) {
                checkpoints++;
              } else {
                rows++;
              }
              text.append(Json.line(json.get()));
            });
    return text.toString();
  }
}
