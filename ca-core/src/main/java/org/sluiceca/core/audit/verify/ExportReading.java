package org.sluiceca.core.audit.verify;

import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ExportForm;
import org.sluiceca.core.audit.ExportForm.Counts;

/**
 * One exported file, read line by line: what stands where it may not is reported and passed over.
 * For one thread.
 */
public final class ExportReading {

  /**
   * A line of a file.
   *
   * @param number from 1
   * @param row empty if the line is no row
   */
  public record Line(long number, Optional<AuditRow> row) {}

  private final String name;
  private final Iterator<Line> lines;
  private final Consumer<Finding> findings;
  private @Nullable Line current;
  private long last;
  private long rows;
  private String lastChain = "";
  private long checkpoints;
  private boolean isEnded;
  private boolean isFiltered;

  /**
   * Reads {@code lines}, which may come from anywhere.
   *
   * @param name what the file is called
   */
  public ExportReading(String name, Iterator<Line> lines, Consumer<Finding> findings) {
    this.name = name;
    this.lines = lines;
    this.findings = findings;
  }

  String name() {
    return name;
  }

  boolean isFiltered() {
    return isFiltered;
  }

  boolean isOver() {
    return current == null;
  }

  /** The current line. */
  Line line() {
    if (current == null) {
      throw new IllegalStateException("the file has been read to its end");
    }
    return current;
  }

  /** The row of the current line. */
  AuditRow row() {
    return line().row().orElseThrow();
  }

  /** Goes on to the next line with a checkpoint or a row. */
  void advance() {
    while (lines.hasNext()) {
      Line line = lines.next();
      last = line.number();
      if (isHere(line)) {
        current = line;
        return;
      }
    }
    current = null;
    if (!isEnded) {
      fault(last, "the file has no end: it was cut off, or the export did not finish");
      isEnded = true;
    }
  }

  private boolean isHere(Line line) {
    if (isEnded) {
      fault(line.number(), "stands after the end of the export");
      return false;
    }
    if (line.row().isEmpty()) {
      fault(line.number(), "is no line of an exported trail");
      return false;
    }
    AuditRow row = line.row().get();
    if (ExportForm.isEnd(row)) {
      end(line.number(), row);
      return false;
    }
    if (!ExportForm.isCheckpoint(row)) {
      return isInOrder(line.number(), row);
    }
    if (rows > 0) {
      fault(line.number(), "a checkpoint stands after rows");
      return false;
    }
    checkpoints++;
    return true;
  }

  /** As they are written: a chain that stood twice would have two ends, each of them judged. */
  private boolean isInOrder(long number, AuditRow row) {
    rows++;
    if (row.chain().compareTo(lastChain) < 0) {
      fault(number, "chain " + row.chain() + " stands after chain " + lastChain);
      return false;
    }
    lastChain = row.chain();
    return true;
  }

  private void end(long number, AuditRow row) {
    isEnded = true;
    Optional<Counts> counts = ExportForm.counts(row);
    if (counts.isEmpty()) {
      fault(number, "the end was changed");
      return;
    }
    Counts said = counts.get();
    isFiltered = said.isFiltered();
    if (said.rows() != rows || said.checkpoints() != checkpoints) {
      fault(
          number,
          "the export had "
              + ExportVerifier.counted(said.rows(), said.checkpoints())
              + ", the file has "
              + ExportVerifier.counted(rows, checkpoints));
    }
  }

  private void fault(long line, String what) {
    findings.accept(new Finding.ExportFault(name, line, what));
  }
}
