package org.sluiceca.api.cli.audit;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.sluiceca.api.audit.export.ExportLine;
import org.sluiceca.api.audit.store.AuditReading;
import org.sluiceca.api.cli.ceremony.option.DatabaseOptions;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.ExportForm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the trail as JSON, one row a line, in the order of the chains. */
@Command(name = "export", description = "Prints the audit trail as JSON lines.")
final class ExportStep implements Callable<Integer> {

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
    long[] counts = new long[2];
    try (LedgerDatabase opened = database.openUnchanged();
        AuditReading reading = new AuditReading(opened)) {
      reading.checkpoints(
          (number, encoded, signature) -> {
            counts[0]++;
            out.println(
                ExportLine.of(ExportForm.row(new ExportForm.Stored(number, encoded, signature))));
          });
      reading.rowsFrom(
          from,
          row -> {
            counts[1]++;
            out.println(ExportLine.of(row));
          });
    }
    out.println(
        ExportLine.of(
            ExportForm.end(
                Instant.now(),
                new ExportForm.Counts(counts[0], counts[1], !from.equals(Instant.EPOCH)))));
    out.flush();
    if (out.checkError()) {
      throw new IllegalStateException("standard output cannot be written");
    }
    return 0;
  }
}
