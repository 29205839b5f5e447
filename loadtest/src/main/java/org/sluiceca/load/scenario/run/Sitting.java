package org.sluiceca.load.scenario.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.Watched;
import tools.jackson.databind.json.JsonMapper;

/**
 * A part of a run without an interruption: a folder with all that is known of it. A run that was
 * interrupted goes on in another sitting, with the phases that no sitting has completed.
 *
 * @param number from 0
 */
record Sitting(int number, Path folder) {

  /** An answer may come that long after its phase, and its record as long after that. */
  private static final long TAIL_MILLIS = 60_000;

  private static final String NAME = "sitting-";
  private static final String RUN = "run";
  private static final String ENDED = "ended";
  private static final JsonMapper JSON = new JsonMapper();

  /** Returns those that were begun in {@code work}. */
  static List<Sitting> all(Path work) {
    List<Sitting> all = new ArrayList<>();
    while (Files.isDirectory(work.resolve(NAME + all.size()))) {
      all.add(new Sitting(all.size(), work.resolve(NAME + all.size())));
    }
    return all;
  }

  /** Begins another one. */
  static Sitting begin(Path work, String run) throws IOException {
    int number = all(work).size();
    Path folder = Files.createDirectories(work.resolve(NAME + number));
    Files.writeString(folder.resolve(RUN), run);
    return new Sitting(number, folder);
  }

  /** Returns what the Idempotency-Keys of its requests begin with. */
  String run() throws IOException {
    return Files.readString(folder.resolve(RUN)).strip();
  }

  /** Notes what was seen of a phase. */
  void write(Watched watched) throws IOException {
    Files.writeString(
        folder.resolve("watched-%04d.json".formatted(watched.index())),
        JSON.writeValueAsString(watched));
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

  List<NodeLook> looks() throws IOException {
    return Sampler.read(folder);
  }

  RowSpool rows() {
    return new RowSpool(folder);
  }
}
