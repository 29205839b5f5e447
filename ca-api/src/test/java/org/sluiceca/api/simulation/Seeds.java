package org.sluiceca.api.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.sluiceca.api.simulation.Simulation.Counts;
import org.sluiceca.api.simulation.Simulation.Result;

/** Runs many seeds and makes of a failing one the smallest world that still fails. */
final class Seeds {

  /**
   * What many worlds came to.
   *
   * @param failures what to print of each that failed; at most a few
   */
  record Summary(Counts counts, List<String> failures) {}

  private static final int FAILURES_KEPT = 3;
  private static final int LINES_SHOWN = 60;

  private Seeds() {}

  /** Runs {@code count} seeds from {@code first} on that number of threads. */
  static Summary run(long first, long count, int threads, Mutant mutant)
      throws InterruptedException {
    AtomicLong next = new AtomicLong(first);
    List<Future<Summary>> parts = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        parts.add(pool.submit(() -> part(next, first + count, mutant)));
      }
      Counts counts = Counts.NONE;
      List<String> failures = new ArrayList<>();
      for (Future<Summary> part : parts) {
        Summary summary = part.get();
        counts = counts.plus(summary.counts());
        failures.addAll(summary.failures());
      }
      return new Summary(counts, failures);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static Summary part(AtomicLong next, long end, Mutant mutant)
      throws InterruptedException {
    Counts counts = Counts.NONE;
    List<String> failures = new ArrayList<>();
    for (long seed = next.getAndIncrement();
        seed < end && failures.size() < FAILURES_KEPT;
        seed = next.getAndIncrement()) {
      Workload workload = Workload.of(seed);
      Result result = Simulation.run(workload, mutant, false);
      counts = counts.plus(result.counts());
      if (!result.found().isEmpty()) {
        failures.add(report(workload, mutant));
      }
    }
    return new Summary(counts, failures);
  }

  /** Says what is wrong with a world, how to see it again, and how it came about. */
  static String report(Workload failing, Mutant mutant) throws InterruptedException {
    Workload small = smallest(failing, mutant);
    Result result = Simulation.run(small, mutant, true);
    List<String> lines = result.lines();
    List<String> shown = lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size());
    return "seed %d: %s\n  smallest: %s\n  replay: ./mvnw -Psim -pl ca-api -am test %s\n%s"
        .formatted(
            failing.seed(),
            Simulation.run(failing, mutant, false).found(),
            result.found(),
            small,
            String.join("\n", shown));
  }

  /** Takes clients, nodes and faults away as long as the world still fails. */
  static Workload smallest(Workload failing, Mutant mutant) throws InterruptedException {
    Workload best = failing;
    boolean isSmaller = true;
    while (isSmaller) {
      isSmaller = false;
      for (Workload less : smaller(best)) {
        if (!isSmaller && !Simulation.run(less, mutant, false).found().isEmpty()) {
          best = less;
          isSmaller = true;
        }
      }
    }
    return best;
  }

  private static List<Workload> smaller(Workload of) {
    List<Workload> smaller = new ArrayList<>();
    if (of.faults() > 0) {
      smaller.add(new Workload(of.seed(), of.clients(), of.nodes(), of.faults() / 2));
      smaller.add(new Workload(of.seed(), of.clients(), of.nodes(), of.faults() - 1));
    }
    if (of.clients() > 1) {
      smaller.add(new Workload(of.seed(), of.clients() / 2, of.nodes(), of.faults()));
      smaller.add(new Workload(of.seed(), of.clients() - 1, of.nodes(), of.faults()));
    }
    if (of.nodes() > 1) {
      smaller.add(new Workload(of.seed(), of.clients(), of.nodes() - 1, of.faults()));
    }
    return smaller;
  }
}
