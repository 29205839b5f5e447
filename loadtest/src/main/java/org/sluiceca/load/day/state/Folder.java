package org.sluiceca.load.day.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import org.sluiceca.load.page.Text;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of a run next to its journal: each appears whole or not at all, and never changes.
 *
 * @param path where they are
 */
public record Folder(Path path) {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String PLAN = "day.json";
  private static final String BASE = "base-bytes";

  /** Returns the plan of the run; empty if it was not begun. */
  public Optional<DayPlan> plan() throws IOException {
    return read(PLAN, DayPlan.class);
  }

  /** Keeps the plan. */
  public void keep(DayPlan plan) throws IOException {
    write(PLAN, JSON.writeValueAsString(plan));
  }

  /** Returns the octets of all tables and indexes when the run began; empty if it has not. */
  public OptionalLong baseBytes() throws IOException {
    Path file = path.resolve(BASE);
    return Files.exists(file)
        ? OptionalLong.of(Long.parseLong(Files.readString(file).strip()))
        : OptionalLong.empty();
  }

  /** Keeps the octets of all tables and indexes when the run begins. */
  public void keepBase(long bytes) throws IOException {
    write(BASE, bytes + "\n");
  }

  /** Returns what was measured at a mark; empty if it was not, or not to its end. */
  public Optional<MarkFigures> mark(int mark) throws IOException {
    return read(name(mark), MarkFigures.class);
  }

  /** Keeps what was measured at a mark. */
  public void keep(MarkFigures figures) throws IOException {
    write(name(figures.mark()), JSON.writeValueAsString(figures));
  }

  private static String name(int mark) {
    return Text.format("mark-%02d.json", mark);
  }

  private <T> Optional<T> read(String name, Class<T> type) throws IOException {
    Path file = path.resolve(name);
    return Files.exists(file)
        ? Optional.of(JSON.readValue(Files.readString(file), type))
        : Optional.empty();
  }

  private void write(String name, String text) throws IOException {
    Path fresh =
        Files.writeString(
            path.resolve(name + ".new"),
            text,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            StandardOpenOption.SYNC);
    Path ignored = Files.move(fresh, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
