package org.sluiceca.load.bench.acme;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.page.Text;

/** How long signed requests took, by step, with their signatures by the client. For one thread. */
final class Steps {

  private final Map<Step, Times> all = new EnumMap<>(Step.class);

  /** Nanoseconds. */
  static final class Times {

    private long[] nanos = new long[256];
    private int count;

    void add(long nano) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = nano;
    }

    void add(Times others) {
      for (int i = 0; i < others.count; i++) {
        add(others.nanos[i]);
      }
    }

    int count() {
      return count;
    }

    /**
     * Returns the time in milliseconds below which that share of them lies, NaN if there is none.
     */
    double millis(double share) {
      if (count == 0) {
        return Double.NaN;
      }
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return sorted[Math.min(count - 1, (int) (share * count))] / 1e6;
    }
  }

  void add(Step step, long nanos) {
    all.computeIfAbsent(step, s -> new Times()).add(nanos);
  }

  void add(Steps others) {
    others.all.forEach((step, times) -> all.computeIfAbsent(step, s -> new Times()).add(times));
  }

  /** Returns how many requests were signed. */
  long count() {
    return all.values().stream().mapToLong(times -> times.count()).sum();
  }

  /** Returns each step with the requests and the median of its milliseconds, as one word. */
  String text() {
    return all.isEmpty()
        ? "none"
        : all.entrySet().stream()
            .map(
                step ->
                    Text.format(
                        "%s=%d*%s",
                        step.getKey().text(),
                        step.getValue().count(),
                        Text.number(step.getValue().millis(0.5), 2)))
            .collect(Collectors.joining(","));
  }
}
