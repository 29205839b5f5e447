package org.sluiceca.hsm.lane;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;

/**
 * Moving averages of the time a job spends in the token, by class and over all, and what was
 * calibrated.
 */
final class ServiceTimes {
  /** A sixteenth: one outlier moves the mean by 6 %, a new level is learnt in some 40 jobs. */
  private static final double WEIGHT = 1.0 / 16;

  private final Map<SignatureClass, Mean> means = new HashMap<>();
  private final Mean overall = new Mean();
  private final Map<SignatureClass, Double> baseSeconds;

  /** Without a calibration. */
  ServiceTimes() {
    this(Map.of());
  }

  /** With the calibrated base delays of these classes. */
  ServiceTimes(Map<SignatureClass, Double> baseSeconds) {
    this.baseSeconds = Map.copyOf(baseSeconds);
  }

  static ServiceTimes of(Window window) {
    return switch (window) {
      case Window.Fixed fixed -> new ServiceTimes();
      case Window.Steered steered -> new ServiceTimes(steered.engines().baseSeconds());
    };
  }

  /** What such a job takes on the empty token; empty if that was not measured. */
  OptionalDouble baseSeconds(SignatureClass signatureClass) {
    Double seconds = baseSeconds.get(signatureClass);
    return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
  }

  private static final class Mean {
    private double nanos;

    void learn(long seen) {
      nanos = nanos == 0 ? seen : nanos + WEIGHT * (seen - nanos);
    }
  }

  void learn(SignatureClass signatureClass, long nanos) {
    means.computeIfAbsent(signatureClass, c -> new Mean()).learn(nanos);
    overall.learn(nanos);
  }

  /** What such a job will probably take; 0 while none was seen. */
  long expectedNanos(SignatureClass signatureClass) {
    Mean mean = means.get(signatureClass);
    return mean == null ? 0 : (long) mean.nanos;
  }

  /**
   * What of the engines such a job takes, at least 1: its calibrated base delay, for all wait alike
   * in the token, and shares of time with that wait would favour what takes long. Without a
   * calibration it is how long it stays.
   */
  long costNanos(SignatureClass signatureClass) {
    long known = knownCostNanos(signatureClass);
    return known > 0 ? known : stayNanos(signatureClass);
  }

  /** The same without a guess: 0 for a class that was neither calibrated nor seen. */
  long knownCostNanos(SignatureClass signatureClass) {
    OptionalDouble base = baseSeconds(signatureClass);
    return base.isPresent()
        ? Math.max(1, (long) (base.getAsDouble() * 1e9))
        : expectedNanos(signatureClass);
  }

  /** How long such a job stays: at least 1, and the mean of all while none was seen. */
  long stayNanos(SignatureClass signatureClass) {
    long expected = expectedNanos(signatureClass);
    return Math.max(1, expected == 0 ? meanNanos() : expected);
  }

  long meanNanos() {
    return (long) overall.nanos;
  }
}
