package org.sluiceca.hsm.lane;

import java.util.EnumMap;
import java.util.Map;
import org.sluiceca.hsm.Mechanism;

/** Moving averages of the time a job spends in the token, by mechanism and over all. */
final class ServiceTimes {
  /** A sixteenth: one outlier moves the mean by 6 %, a new level is learnt in some 40 jobs. */
  private static final double WEIGHT = 1.0 / 16;

  private final Map<Mechanism, Double> meanNanos = new EnumMap<>(Mechanism.class);
  private double overallNanos;

  void learn(Mechanism mechanism, long nanos) {
    meanNanos.put(mechanism, moved(meanNanos.getOrDefault(mechanism, 0.0), nanos));
    overallNanos = moved(overallNanos, nanos);
  }

  /** What such a job will probably take; 0 while none was seen. */
  long expectedNanos(Mechanism mechanism) {
    return meanNanos.getOrDefault(mechanism, 0.0).longValue();
  }

  long meanNanos() {
    return (long) overallNanos;
  }

  private static double moved(double mean, long nanos) {
    return mean == 0 ? nanos : mean + WEIGHT * (nanos - mean);
  }
}
