package org.sluiceca.load.watch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.cli.TrialException;

/**
 * The simulated HSMs of a run by name. Each call starts processes and waits for them; thread-safe.
 */
public final class HsmDevices {

  private final Map<String, HsmTool> tools;

  /** Of these; their order is kept. */
  public HsmDevices(Map<String, HsmTool> tools) {
    this.tools = new LinkedHashMap<>(tools);
  }

  /**
   * Runs a command on one of them.
   *
   * @throws TrialException if it fails, or there is none of this name
   */
  public void order(String name, List<String> words) {
    HsmTool tool = tools.get(name);
    if (tool == null) {
      throw new TrialException("no HSM " + name);
    }
    tool.order(words);
  }

  /** Returns the figures of each since the last reset, and resets them if {@code reset}. */
  public Map<String, HsmFigures> figures(boolean reset) {
    Map<String, HsmFigures> figures = new LinkedHashMap<>();
    tools.forEach((name, tool) -> figures.put(name, tool.figures(reset)));
    return figures;
  }

  /** Looks at all of them again and again, until it is closed. */
  public Watching watch(double everySeconds) {
    Map<String, HsmTool.Series> all = new LinkedHashMap<>();
    Watching watching = new Watching(all);
    try {
      tools.forEach((name, tool) -> all.put(name, tool.watch(everySeconds)));
    } catch (TrialException e) {
      watching.close();
      throw e;
    }
    return watching;
  }

  /** What was seen so far; closing it ends the processes that look. */
  public static final class Watching implements AutoCloseable {
    private final Map<String, HsmTool.Series> all;

    private Watching(Map<String, HsmTool.Series> all) {
      this.all = all;
    }

    /** Returns all figures of each so far, in the order of time. */
    public Map<String, List<HsmFigures>> seen() {
      return all.entrySet().stream()
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> e.getValue().seen()));
    }

    @Override
    public void close() {
      all.values().forEach(HsmTool.Series::close);
    }
  }
}
