package org.sluiceca.api.cli.audit;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sluiceca.api.audit.store.AuditReading;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.AuditRow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Prints the trail as JSON, one row a line, in the order of the chains. */
@Command(name = "export", description = "Prints the audit trail as JSON lines.")
final class ExportStep implements Callable<Integer> {

  private static final JsonMapper JSON = new JsonMapper();

  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--from",
      defaultValue = "1970-01-01T00:00:00Z",
      description = "Only what was recorded then or later, such as 2026-05-01T00:00:00Z.")
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private Instant from;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (LedgerDatabase opened = database.openUnchanged();
        AuditReading reading = new AuditReading(opened)) {
      reading.rowsFrom(from, row -> out.println(line(row)));
    }
    out.flush();
    if (out.checkError()) {
      throw new IllegalStateException("standard output cannot be written");
    }
    return 0;
  }

  /** The content as an object where it is one; whatever else stands there, as a text. */
  static String line(AuditRow row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("chain", row.chain());
    fields.put("sequence", row.sequence());
    fields.put("recordedAt", row.recordedAt().toString());
    fields.put("kind", row.kind());
    fields.put("actor", row.actor());
    fields.put("content", content(row.content()));
    fields.put("previous", row.previous().toString());
    fields.put("hash", row.hash().toString());
    return JSON.writeValueAsString(fields);
  }

  private static Object content(String text) {
    try {
      JsonNode read = JSON.readTree(text);
      // Read again from a line it must be the octets that were hashed.
      return JSON.writeValueAsString(read).equals(text) ? read : text;
    } catch (JacksonException e) {
      return text;
    }
  }
}
