package org.sluiceca.core.audit.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ExportForm;
import org.sluiceca.core.audit.ExportForm.Stored;
import org.sluiceca.core.audit.verify.ExportReading.Line;

/**
 * Judges exported trails as one: several files, each in the order of an export, are read at once
 * and merged, and what they share must be the same. Memory is that of {@link CheckpointVerifier}
 * and one row of each file. For one thread.
 *
 * <p>What no export can show is left to a program on the database: whether the ledger holds the
 * certificates that the trail names.
 */
public final class ExportVerifier {

  private static final Comparator<ExportReading> BY_ROW =
      Comparator.comparing((ExportReading reading) -> reading.row().chain())
          .thenComparingLong(reading -> reading.row().sequence());

  /**
   * What there was.
   *
   * @param isFiltered whether an export left something out on purpose, which is then found missing
   */
  public record Summary(
      long rows, long chains, long checkpoints, long lastSigned, boolean isFiltered) {}

  private final CheckpointVerifier checkpoints;
  private final Consumer<Finding> findings;

  /**
   * Judges by {@code checkpoints}, which has taken the exported ones already.
   *
   * @param findings receives what is found, in the order of the files
   */
  public ExportVerifier(CheckpointVerifier checkpoints, Consumer<Finding> findings) {
    this.checkpoints = checkpoints;
    this.findings = findings;
  }

  /** Reads the files to their ends. */
  public Summary verify(List<ExportReading> files) {
    List<ExportReading> open = new ArrayList<>(files);
    open.forEach(ExportReading::advance);
    open.removeIf(ExportReading::isOver);
    readCheckpoints(open);
    ChainVerifier rows = checkpoints.rows();
    while (!open.isEmpty()) {
      ExportReading first = open.stream().min(BY_ROW).orElseThrow();
      AuditRow row = first.row();
      rows.row(row);
      passRow(open, row, first.name());
    }
    rows.end();
    return new Summary(
        rows.rows(),
        rows.chains(),
        checkpoints.last(),
        checkpoints.lastSigned(),
        files.stream().anyMatch(ExportReading::isFiltered));
  }

  private void passRow(List<ExportReading> open, AuditRow row, String file) {
    for (ExportReading reading : List.copyOf(open)) {
      AuditRow own = reading.row();
      if (own.chain().equals(row.chain()) && own.sequence() == row.sequence()) {
        if (!own.equals(row)) {
          findings.accept(
              new Finding.RowDiffers(row.chain(), row.sequence(), file, reading.name()));
        }
        advance(open, reading);
      }
    }
  }

  private void readCheckpoints(List<ExportReading> open) {
    while (true) {
      Optional<ExportReading> first =
          open.stream()
              .filter(reading -> ExportForm.isCheckpoint(reading.row()))
              .min(Comparator.comparingLong(reading -> reading.row().sequence()));
      if (first.isEmpty()) {
        return;
      }
      long number = first.get().row().sequence();
      if (number <= checkpoints.last()) {
        Line line = first.get().line();
        findings.accept(
            new Finding.ExportFault(
                first.get().name(),
                line.number(),
                "checkpoint " + number + " is out of order: one of its number stands before it"));
        advance(open, first.get());
      } else {
        readCheckpoint(open, number);
      }
    }
  }

  /** Of one number, the checkpoint of each file that has it; a signed one counts. */
  private void readCheckpoint(List<ExportReading> open, long number) {
    Optional<Stored> best = Optional.empty();
    String from = "";
    for (ExportReading reading : List.copyOf(open)) {
      AuditRow row = reading.row();
      if (!ExportForm.isCheckpoint(row) || row.sequence() != number) {
        continue;
      }
      Optional<Stored> read = ExportForm.stored(row);
      if (read.isEmpty()) {
        findings.accept(new Finding.CheckpointUnreadable(number));
      } else if (best.isPresent() && !best.get().encoded().equals(read.get().encoded())) {
        findings.accept(new Finding.CheckpointRewritten(number, from + " and " + reading.name()));
      } else if (best.isEmpty() || best.get().signature().isEmpty()) {
        best = read;
        from = reading.name();
      }
      advance(open, reading);
    }
    best.ifPresent(b -> checkpoints.stored(b.number(), b.encoded(), b.signature()));
  }

  private static void advance(List<ExportReading> open, ExportReading reading) {
    reading.advance();
    if (reading.isOver()) {
      open.remove(reading);
    }
  }

  /** One file in the summary of several. */
  static String counted(long rows, long checkpoints) {
    return String.format(Locale.ROOT, "%d rows and %d checkpoints", rows, checkpoints);
  }
}
