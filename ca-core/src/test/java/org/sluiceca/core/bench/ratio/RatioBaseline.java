package org.sluiceca.core.bench.ratio;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The figures that were committed, each with how much more is tolerated. */
record RatioBaseline(Map<String, Entry> entries) {

  /** Of a figure that has no entry yet. */
  private static final int RATIO_TOLERANCE = 20;

  private static final int BYTES_TOLERANCE = 5;

  private static final String HEAD =
      "# Figures of `./sluice bench ratios save`: name = value, tolerated increase in percent."
          + " docs/performance/SPEED.md explains them.\n";

  /**
   * One figure.
   *
   * @param tolerance percent by which it may be larger
   */
  record Entry(double value, int tolerance) {

    boolean isExceededBy(double now) {
      // Not a number is never within a limit.
      return !(now <= value * (1 + tolerance / 100.0));
    }
  }

  RatioBaseline {
    entries = Map.copyOf(entries);
  }

  /**
   * Reads a baseline.
   *
   * @throws IllegalArgumentException if a line is not a comment and not {@code name = value, N %}
   */
  static RatioBaseline parse(List<String> lines) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.split(" = |, | %", -1);
      if (words.length != 4) {
        throw new IllegalArgumentException("not 'name = value, N %': " + line);
      }
      entries.put(words[0], new Entry(Double.parseDouble(words[1]), Integer.parseInt(words[2])));
    }
    return new RatioBaseline(entries);
  }

  /** Returns the text of a baseline of these figures that keeps the tolerances of this one. */
  String renewed(Figures figures) {
    StringBuilder text = new StringBuilder(HEAD);
    new TreeMap<>(figures.values())
        .forEach(
            (name, value) -> {
              boolean isOfBytes = Figures.isOfBytes(name);
              Entry known =
                  entries.getOrDefault(
                      name, new Entry(value, isOfBytes ? BYTES_TOLERANCE : RATIO_TOLERANCE));
              text.append(
                  String.format(
                      Locale.ROOT,
                      isOfBytes ? "%s = %.0f, %d %%\n" : "%s = %.3f, %d %%\n",
                      name,
                      value,
                      known.tolerance()));
            });
    return text.toString();
  }

  /**
   * Returns a sentence for each figure that is larger than tolerated, or is in one of both alone;
   * empty if all is well.
   */
  List<String> faults(Figures now) {
    List<String> faults = new ArrayList<>();
    new TreeMap<>(entries)
        .forEach(
            (name, entry) -> {
              Double value = now.values().get(name);
              if (value == null) {
                faults.add(name + " is in the baseline and was not measured");
              } else if (entry.isExceededBy(value)) {
                faults.add(said(name, entry, value));
              }
            });
    new TreeMap<>(now.values())
        .keySet().stream()
            .filter(name -> !entries.containsKey(name))
            .forEach(
                name ->
                    faults.add(
                        name + " is not in the baseline: `./sluice bench ratios save` adds it"));
    return faults;
  }

  /** Returns names of figures that have become so much smaller that the baseline is too lax. */
  List<String> lax(Figures now) {
    return new TreeMap<>(entries)
        .entrySet().stream()
            .filter(
                e -> {
                  Double value = now.values().get(e.getKey());
                  Entry entry = e.getValue();
                  return value != null
                      && new Entry(value, entry.tolerance()).isExceededBy(entry.value());
                })
            .map(Map.Entry::getKey)
            .toList();
  }

  private static String said(String name, Entry entry, double now) {
    String number = Figures.isOfBytes(name) ? "%.0f" : "%.2f";
    return String.format(
        Locale.ROOT,
        "%s: was " + number + ", is " + number + " (%+.0f %%, tolerated %d %%)",
        name,
        entry.value(),
        now,
        100 * (now / entry.value() - 1),
        entry.tolerance());
  }
}
