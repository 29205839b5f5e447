package org.sluiceca.core.bench.ratio;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges a run by the baseline. A run also measures planted regressions; it counts only if the
 * baseline refuses each of them, so that noise which hides a real one is noticed.
 */
final class RatioGate {

  /** The planted figures, and those in whose place the baseline must refuse them. */
  private static final Map<String, String> PLANTED =
      Map.of(
          LineWork.SLOWER_READING + " / " + LineWork.PARSING,
          LineWork.READING + " / " + LineWork.PARSING,
          LineWork.WASTEFUL_READING + " bytes",
          LineWork.READING + " bytes");

  private RatioGate() {}

  /** Returns the figures without the planted ones: those that a baseline has. */
  static Figures real(Figures run) {
    Map<String, Double> real = new LinkedHashMap<>(run.values());
    real.keySet().removeAll(PLANTED.keySet());
    return new Figures(real);
  }

  /** Returns a sentence for each reason to fail; empty if the run shows no regression. */
  static List<String> faults(RatioBaseline baseline, Figures run) {
    List<String> faults = new ArrayList<>(baseline.faults(real(run)));
    PLANTED.forEach(
        (planted, real) -> {
          Double value = run.values().get(planted);
          RatioBaseline.Entry entry = baseline.entries().get(real);
          if (value == null || entry == null || !entry.isExceededBy(value)) {
            faults.add(
                "the planted regression '"
                    + planted
                    + "' ("
                    + value
                    + ") is within the limit of '"
                    + real
                    + "': this run would not notice a real one");
          }
        });
    return faults;
  }
}
