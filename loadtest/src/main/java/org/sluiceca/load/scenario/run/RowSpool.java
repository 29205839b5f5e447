package org.sluiceca.load.scenario.run;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.scenario.wire.RecordFile;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.LedgerRows;

/**
 * The ledger's rows of one sitting, in a file for each phase: they are read from the database once,
 * and never all in memory. A row belongs to the phase in which its request was due first, which its
 * key names.
 */
final class RowSpool {

  private final Path folder;

  /** In {@code folder}. */
  RowSpool(Path folder) {
    this.folder = folder;
  }

  /** Writes all rows, in the place of what was written before. */
  void fill(LedgerRows rows) throws IOException {
    Map<Integer, BufferedWriter> files = new HashMap<>();
    try {
      rows.each(
          row -> {
            try {
              int phase = phase(row.key());
              BufferedWriter file = files.get(phase);
              if (file == null) {
                file = Files.newBufferedWriter(RecordFile.ROWS.of(folder, phase));
                files.put(phase, file);
              }
              file.write(RecordFile.line(row));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw new IOException(e);
    } finally {
      for (BufferedWriter file : files.values()) {
        file.close();
      }
    }
  }

  /** Returns the rows of a phase. */
  List<LedgerRow> read(int phase) throws IOException {
    return RecordFile.ROWS.read(folder, phase);
  }

  /** Keys are run-phase-number. */
  static int phase(String key) {
    String[] parts = key.split("-", -1);
    return Integer.parseInt(parts[1]);
  }
}
