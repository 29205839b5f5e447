package org.sluiceca.hsm.bench.keyless;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.sluiceca.hsm.bench.keyless.Results.Goal;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Results.Tracked;

/** What the figures of a run have to be. Ratios within one run alone: machines differ. */
final class Judge {

  /** Where engines are apart, or shared, as {@link Mixed#where} says it. */
  static final String APART = "engines apart";

  static final String SHARED = "engines shared";
  static final String PROCESSORS = "processors shared";
  static final String ADAPTER = "adapter";
  static final String BARE = "bare token";

  /** Of what the bare token signs a second, by what one of its signatures takes of a processor. */
  private static final double RATE_MIN_OF_QUICK = 0.6;

  private static final double RATE_MIN_OF_SLOW = 0.9;

  /** The hand-over costs some 20 us here; compared with this it is a tenth at most. */
  private static final double SLOW_CPU_MICROS = 300;

  private static final double CAPACITY_MIN = 0.97;

  /** Closed loop, first come first served: everybody waits alike. */
  private static final double TAIL_MAX = 1.5;

  private static final double EC_KEPT_MIN = 0.9;
  private static final double EC_TAIL_MAX = 1.25;
  private static final double RSA_BESIDE_MIN = 0.9;

  /** Half each, and what chance and the kinds' different lengths make of it. */
  private static final double TIME_PART_MIN = 0.4;

  private static final double BUSY_MIN = 0.9;

  /** Between two signatures a worker is for a moment in none. */
  private static final double UNDER_WAY_MIN = 0.8;

  private static final double UNDER_WAY_MAX = 1.05;

  private Judge() {}

  /** Returns every goal with what was seen. */
  static List<Goal> goals(List<Pair> pairs, List<Tracked> tracked, List<Mixed> mixed) {
    List<Goal> goals = new ArrayList<>();
    pairs.stream()
        .filter(pair -> pair.crew().equals(pairs.getLast().crew()))
        .forEach(
            pair ->
                goals.add(
                    atLeast(
                        "%s, %d sessions, %d requesters: adapter's rate by the bare token's"
                            .formatted(
                                pair.kind(), pair.crew().sessions(), pair.crew().requesters()),
                        pair.rateRatio(),
                        rateMin(pair))));
    tracked.forEach(each -> judge(each, goals));
    mixed.stream().filter(each -> each.by().equals(ADAPTER)).forEach(each -> judge(each, goals));
    List<Measurement> all =
        Stream.of(
                pairs.stream().flatMap(p -> Stream.concat(p.bare().stream(), p.adapter().stream())),
                tracked.stream().map(Tracked::adapter),
                tracked.stream().flatMap(t -> t.bare().stream()),
                mixed.stream()
                    .flatMap(m -> Stream.of(m.before(), m.alongside(), m.rsa(), m.after())))
            .flatMap(each -> each)
            .toList();
    goals.add(
        atLeast(
            "Little's law, rate by mean time by workers, the least",
            all.stream().mapToDouble(Measurement::underWayPerWorker).min().orElse(Double.NaN),
            UNDER_WAY_MIN));
    goals.add(
        atMost(
            "the same, the most",
            all.stream().mapToDouble(Measurement::underWayPerWorker).max().orElse(Double.NaN),
            UNDER_WAY_MAX));
    return goals;
  }

  private static double rateMin(Pair pair) {
    return Measurement.together(pair.bare()).cpuMicros() < SLOW_CPU_MICROS
        ? RATE_MIN_OF_QUICK
        : RATE_MIN_OF_SLOW;
  }

  private static void judge(Tracked tracked, List<Goal> goals) {
    String name = tracked.name() + ", " + tracked.adapter().kind();
    goals.add(atLeast(name + ": rate by capacity", tracked.ofCapacity(), CAPACITY_MIN));
    Measurement adapter = tracked.adapter();
    // Slow kinds make too few for a p99.
    boolean isRich = !Double.isNaN(adapter.percentileMicros(0.99));
    goals.add(
        atMost(
            name + (isRich ? ": p99 by mean" : ": p90 by mean"),
            adapter.percentileMicros(isRich ? 0.99 : 0.9) / adapter.meanMicros(),
            TAIL_MAX));
    tracked
        .device()
        .ifPresent(
            device ->
                goals.add(
                    atMost(
                        name + ": p99 of the HSM's queue, jobs",
                        device.queueP99(),
                        tracked.queueBound())));
  }

  private static void judge(Mixed mixed, List<Goal> goals) {
    String name = String.format(Locale.ROOT, "%s: ", mixed.where());
    switch (mixed.where()) {
      case APART -> {
        goals.add(
            atLeast(name + "EC's rate alongside RSA by alone", mixed.rateKept(), EC_KEPT_MIN));
        goals.add(atMost(name + "EC's p99 alongside RSA by alone", mixed.p99Times(), EC_TAIL_MAX));
        goals.add(atLeast(name + "RSA by its engines' capacity", mixed.rsaTime(), RSA_BESIDE_MIN));
      }
      case SHARED -> {
        double busy = mixed.ecTime() + mixed.rsaTime();
        goals.add(atLeast(name + "engines' time used", busy, BUSY_MIN));
        goals.add(atLeast(name + "EC's part of it", mixed.ecTime() / busy, TIME_PART_MIN));
        goals.add(atLeast(name + "RSA's part of it", mixed.rsaTime() / busy, TIME_PART_MIN));
      }
      default ->
          goals.add(
              atLeast(name + "EC's rate alongside RSA by alone", mixed.rateKept(), TIME_PART_MIN));
    }
  }

  private static Goal atLeast(String what, double seen, double bound) {
    return new Goal(what, seen, true, bound);
  }

  private static Goal atMost(String what, double seen, double bound) {
    return new Goal(what, seen, false, bound);
  }
}
