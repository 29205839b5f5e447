package org.sluiceca.load.scenario.run;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.Watched;
import org.sluiceca.load.scenario.wire.RecordFile;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.LedgerRows;
import tools.jackson.databind.json.JsonMapper;

/**
 * A part of a run without an interruption: a folder with all that is known of it. A run that was
 * interrupted goes on in another sitting, with the phases that no sitting has completed.
 *
 * @param number from 0
 */
record SoakSession(int number, Path folder) {

  /** An answer may come that long after its phase, and its record as long after that. */
  private static final long TAIL_MILLIS = 60_000;

  private static final String NAME = "sitting-";
  private static final String RUN = "run";
  private static final String ENDED = "ended";

  /** Requests by Gatling's records, rows by the ledger. */
  private static final Pattern PHASE_FILE = Pattern.compile("(?:shots|rows)-([0-9]+)\\.jsonl");

  private static final JsonMapper JSON = new JsonMapper();

  /** Returns those that were begun in {@code work}. */
  static List<SoakSession> all(Path work) {
    List<SoakSession> all = new ArrayList<>();
    while (Files.isDirectory(work.resolve(NAME + all.size()))) {
      all.add(new SoakSession(all.size(), work.resolve(NAME + all.size())));
    }
    return all;
  }

  /** Begins another one, whose folder always names its run, whenever this process is killed. */
  static SoakSession begin(Path work, String run) throws IOException {
    int number = all(work).size();
    Path fresh = Files.createTempDirectory(work, "new-");
    Files.writeString(fresh.resolve(RUN), run);
    Path folder = Files.move(fresh, work.resolve(NAME + number), StandardCopyOption.ATOMIC_MOVE);
    return new SoakSession(number, folder);
  }

  /** Returns what the Idempotency-Keys of its requests begin with. */
  String run() throws IOException {
    return Files.readString(folder.resolve(RUN)).strip();
  }

  /** Notes what was seen of a phase, whole or not at all. */
  void write(Watched watched) throws IOException {
    Path fresh = folder.resolve("fresh");
    Files.writeString(fresh, JSON.writeValueAsString(watched));
    Path ignored =
        Files.move(
            fresh,
            folder.resolve(Text.format("watched-%04d.json", watched.index())),
            StandardCopyOption.ATOMIC_MOVE);
  }

  /** Notes that all its requests have an end. */
  void end() throws IOException {
    Files.writeString(folder.resolve(ENDED), "");
  }

  /**
   * Returns the phases that are complete: of a sitting that was interrupted those that were over so
   * long before it that each of their requests had an end.
   */
  List<Watched> complete() throws IOException {
    List<Watched> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files
              .filter(each -> (each.getFileName() + "").startsWith("watched-"))
              .sorted(Comparator.naturalOrder())
              .toList()) {
        all.add(JSON.readValue(Files.readString(file), Watched.class));
      }
    }
    if (!Files.exists(folder.resolve(ENDED))) {
      long last = looks().stream().mapToLong(NodeLook::epochMillis).max().orElse(0);
      all.removeIf(watched -> watched.untilMillis() + TAIL_MILLIS > last);
    }
    return all;
  }

  /**
   * Returns the numbers of the phases of which something was sent or recorded, and that are not
   * complete: they are measured again in another sitting. What was promised in them holds all the
   * same.
   */
  List<Integer> incomplete() throws IOException {
    Set<Integer> complete =
        complete().stream().map(Watched::index).collect(Collectors.toUnmodifiableSet());
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> PHASE_FILE.matcher(file.getFileName() + ""))
          .filter(Matcher::matches)
          .map(name -> Integer.valueOf(name.group(1)))
          .filter(index -> !complete.contains(index))
          .distinct()
          .sorted()
          .toList();
    }
  }

  List<NodeLook> looks() throws IOException {
    return Sampler.read(folder);
  }

  /** Returns what came of the requests of a phase. */
  List<Exchange> requests(int phase) throws IOException {
    return RecordFile.REQUESTS.read(folder, phase);
  }

  /** Returns the rows of a phase: that in which its request was due first, which its key names. */
  List<LedgerRow> rows(int phase) throws IOException {
    return RecordFile.ROWS.read(folder, phase);
  }

  /**
   * Writes all rows in the place of what was written before, a file for each phase: they are read
   * from the database once, and never all in memory.
   */
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

  /** Keys are run-phase-number. */
  static int phase(String key) {
    return Integer.parseInt(key.split("-", -1)[1]);
  }
}
