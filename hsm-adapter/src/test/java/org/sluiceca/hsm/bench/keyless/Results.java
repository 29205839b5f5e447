package org.sluiceca.hsm.bench.keyless;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.sluiceca.hsm.bench.keyless.Terms.Crew;

/**
 * All that a run saw.
 *
 * @param conditions what it was measured on and how, by name, in order
 * @param pairs the adapter alongside the bare token on this machine's processors
 * @param tracked the adapter in front of devices whose capacity is known
 * @param mixed EC alone, alongside RSA, and alone again
 * @param goals judged
 */
record Results(
    Map<String, String> conditions,
    List<Pair> pairs,
    List<Tracked> tracked,
    List<Mixed> mixed,
    List<Goal> goals) {

  long missed() {
    return goals.stream().filter(goal -> !goal.isMet()).count();
  }

  /**
   * The same token by both ways, in turns.
   *
   * @param bare in C, one for each round
   * @param adapter of the same rounds
   */
  record Pair(KeyKind kind, Crew crew, List<Measurement> bare, List<Measurement> adapter) {

    /** The median of the rounds, each of which compares what stood side by side in time. */
    double rateRatio() {
      return medianOfRatios(Measurement::perSecond);
    }

    double cpuRatio() {
      return medianOfRatios(Measurement::cpuMicros);
    }

    double addedCpuMicros() {
      return median(
          IntStream.range(0, bare.size())
              .mapToDouble(i -> adapter.get(i).cpuMicros() - bare.get(i).cpuMicros())
              .toArray());
    }

    private double medianOfRatios(ToDoubleFunction<Measurement> figure) {
      return median(
          IntStream.range(0, bare.size())
              .mapToDouble(
                  i -> figure.applyAsDouble(adapter.get(i)) / figure.applyAsDouble(bare.get(i)))
              .toArray());
    }
  }

  /**
   * A device of known capacity under more requests than it has servers.
   *
   * @param capacity signatures a second that its servers make
   * @param bare the loop in C on it; empty where there is none
   * @param device of the measured time; empty of several devices together
   * @param queueBound what its own queue should not exceed in 99 % of the time
   */
  record Tracked(
      String name,
      double capacity,
      Measurement adapter,
      Optional<Measurement> bare,
      Optional<DeviceFigures> device,
      double queueBound) {

    double ofCapacity() {
      return adapter.perSecond() / capacity;
    }
  }

  /**
   * EC before, alongside and after RSA in plenty.
   *
   * @param where whose engines: {@code apart}, {@code shared}, this machine's processors
   * @param by the adapter or the bare token
   * @param ecCapacity signatures a second of all engines that sign with EC keys; 0 if unknown
   * @param rsaCapacity the same with RSA keys
   */
  record Mixed(
      String where,
      String by,
      Measurement before,
      Measurement alongside,
      Measurement rsa,
      Measurement after,
      double ecCapacity,
      double rsaCapacity) {

    /** Of what EC had alone, the mean of before and after. */
    double rateKept() {
      return 2 * alongside.perSecond() / (before.perSecond() + after.perSecond());
    }

    /** The p99 of EC alongside RSA by the longer of those alone. */
    double p99Times() {
      return alongside.percentileMicros(0.99)
          / Math.max(before.percentileMicros(0.99), after.percentileMicros(0.99));
    }

    /** Of the engines' time, where they are the same; NaN if their capacity is unknown. */
    double ecTime() {
      return ecCapacity == 0 ? Double.NaN : alongside.perSecond() / ecCapacity;
    }

    double rsaTime() {
      return rsaCapacity == 0 ? Double.NaN : rsa.perSecond() / rsaCapacity;
    }
  }

  /** A bound of a figure, which is a ratio unless its name says otherwise. */
  record Goal(String what, double seen, boolean isAtLeast, double bound) {

    /** NaN reaches no goal. */
    boolean isMet() {
      return isAtLeast ? seen >= bound : seen <= bound;
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
