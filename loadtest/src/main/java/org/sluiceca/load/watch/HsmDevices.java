package org.sluiceca.load.watch;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.sluiceca.load.cli.TrialException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The simulated HSMs of a run by name, asked by the program {@code nethsm}. Each call starts
 * processes and waits for them; thread-safe.
 */
public final class HsmDevices {

  /** It works on a mapped file: milliseconds, or seconds on a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path program;
  private final Map<String, Path> states;

  /**
   * Of these; their order is kept.
   *
   * @param states the files that are the HSMs
   */
  HsmDevices(Path program, Map<String, Path> states) {
    this.program = program;
    this.states = new LinkedHashMap<>(states);
  }

  /**
   * Runs a command on one of them.
   *
   * @throws TrialException if it fails, or there is none of this name
   */
  public void order(String name, List<String> words) {
    String ignored = Command.run(words(name, words), Map.of(), LIMIT);
  }

  private List<String> words(String name, List<String> more) {
    Path state = states.get(name);
    if (state == null) {
      throw new TrialException("no HSM " + name);
    }
    List<String> words = new ArrayList<>(List.of(program.toString(), state.toString()));
    words.addAll(more);
    return words;
  }

  /** Returns the figures of each since the last reset, and resets them if {@code reset}. */
  public Map<String, HsmFigures> figures(boolean reset) {
    List<String> stats = reset ? List.of("stats", "--json", "--reset") : List.of("stats", "--json");
    Map<String, HsmFigures> figures = new LinkedHashMap<>();
    for (String name : states.keySet()) {
      String said = Command.run(words(name, stats), Map.of(), LIMIT);
      figures.put(name, HsmFigures.of(JSON.readTree(said)));
    }
    return figures;
  }

  /** Looks at all of them again and again, until it is closed. */
  public Watching watch(double everySeconds) {
    Watching watching = new Watching();
    try {
      for (String name : states.keySet()) {
        watching.start(name, words(name, List.of("stats", "--json", "--watch", "" + everySeconds)));
      }
    } catch (IOException e) {
      watching.close();
      throw new TrialException("cannot run " + program, e);
    }
    return watching;
  }

  /** What was seen so far; closing it ends the processes that look. */
  public static final class Watching implements AutoCloseable {
    private final List<Process> processes = new ArrayList<>();
    private final Map<String, Queue<HsmFigures>> seen = new LinkedHashMap<>();

    private Watching() {}

    private void start(String name, List<String> words) throws IOException {
      Process process =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      Queue<HsmFigures> own = new ConcurrentLinkedQueue<>();
      processes.add(process);
      seen.put(name, own);
      Thread ignored =
          Thread.ofPlatform().name("hsm-series").daemon().start(() -> read(process, own));
    }

    private static void read(Process process, Queue<HsmFigures> own) {
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          own.add(HsmFigures.of(JSON.readTree(line)));
        }
      } catch (IOException e) {
        // The process was ended while a line was read.
        process.destroy();
      }
    }

    /** Returns all figures of each so far, in the order of time. */
    public Map<String, List<HsmFigures>> seen() {
      return seen.entrySet().stream()
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> List.copyOf(e.getValue())));
    }

    @Override
    public void close() {
      processes.forEach(Process::destroy);
    }
  }
}
