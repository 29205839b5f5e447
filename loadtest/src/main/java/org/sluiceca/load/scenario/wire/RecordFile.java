package org.sluiceca.load.scenario.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.LedgerRow;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files of a folder that have a record a line.
 *
 * @param name begins their names
 * @param type of the records
 */
public record RecordFile<T>(String name, Class<T> type) {

  /** What came of each request, as Gatling saw it. */
  public static final RecordFile<Exchange> REQUESTS = new RecordFile<>("shots", Exchange.class);

  /** What the ledger holds of each. */
  public static final RecordFile<LedgerRow> ROWS = new RecordFile<>("rows", LedgerRow.class);

  /** Returns the file of a phase by its number. */
  public Path of(Path folder, int phase) {
    return folder.resolve(Text.format("%s-%04d.jsonl", name, phase));
  }

  /** Returns a record as a line with its end. */
  public static String line(Object value) {
    return JsonMapper.shared().writeValueAsString(value) + "\n";
  }

  /** Reads all of a phase; none if there is no file. */
  public List<T> read(Path folder, int phase) throws IOException {
    return read(of(folder, phase));
  }

  /**
   * Reads all of a file; none if it is not there. A last line without an end is left out: a process
   * that was killed wrote a part of it.
   */
  public List<T> read(Path file) throws IOException {
    List<T> records = new ArrayList<>();
    String text = Files.exists(file) ? Files.readString(file) : "";
    text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .forEach(line -> records.add(JsonMapper.shared().readValue(line, type)));
    return records;
  }
}
