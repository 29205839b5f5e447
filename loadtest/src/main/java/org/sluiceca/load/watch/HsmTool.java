package org.sluiceca.load.watch;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.sluiceca.load.cli.TrialException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program {@code nethsm} on one simulated HSM. Each call starts a process and waits for it;
 * thread-safe.
 *
 * @param program the executable
 * @param state the file that is the HSM
 */
public record HsmTool(Path program, Path state) {

  /** It works on a mapped file: milliseconds, or seconds on a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final JsonMapper JSON = new JsonMapper();

  /**
   * Runs a command on the HSM.
   *
   * @throws TrialException if it fails
   */
  public void order(List<String> words) {
    String ignored = Command.run(words(words), Map.of(), LIMIT);
  }

  /** Returns the figures since the last reset, and resets them if {@code reset}. */
  public HsmFigures figures(boolean reset) {
    List<String> stats = reset ? List.of("stats", "--json", "--reset") : List.of("stats", "--json");
    return HsmFigures.of(JSON.readTree(Command.run(words(stats), Map.of(), LIMIT)));
  }

  private List<String> words(List<String> more) {
    List<String> words = new ArrayList<>(List.of(program.toString(), state.toString()));
    words.addAll(more);
    return words;
  }

  /** Looks at the HSM again and again, until it is closed. */
  public Series watch(double everySeconds) {
    List<String> words = words(List.of("stats", "--json", "--watch", "" + everySeconds));
    try {
      return new Series(
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    } catch (IOException e) {
      throw new TrialException("cannot run " + words, e);
    }
  }

  /** What was seen so far; closing it ends the process that looks. */
  public static final class Series implements AutoCloseable {
    private final Process process;
    private final Queue<HsmFigures> seen = new ConcurrentLinkedQueue<>();

    private Series(Process process) {
      this.process = process;
      Thread ignored = Thread.ofPlatform().name("hsm-series").daemon().start(this::read);
    }

    private void read() {
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          JsonNode said = JSON.readTree(line);
          seen.add(HsmFigures.of(said));
        }
      } catch (IOException e) {
        // The process was ended while a line was read.
        process.destroy();
      }
    }

    /** Returns all figures so far, in the order of time. */
    public List<HsmFigures> seen() {
      return List.copyOf(seen);
    }

    @Override
    public void close() {
      process.destroy();
    }
  }
}
