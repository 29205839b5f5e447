package org.sluiceca.hsm.bench.keyless;

import java.util.List;

/**
 * Signatures of one kind of key in a closed loop over some time.
 *
 * @param workers who each have one signature under way at any time
 * @param count signatures that ended in that time
 * @param cpuSeconds processor time of the process that signed; NaN where another load shared it
 * @param durations of each of them, as its worker saw it
 */
record Measurement(
    KeyKind kind, int workers, long count, double seconds, double cpuSeconds, Durations durations) {

  private static final double NANOS_PER_MICRO = 1e3;

  /** Of several measurements of the same, all signatures over all the time. */
  static Measurement together(List<Measurement> all) {
    Durations durations = new Durations();
    all.forEach(each -> durations.addAll(each.durations));
    Measurement first = all.getFirst();
    return new Measurement(
        first.kind,
        first.workers,
        all.stream().mapToLong(Measurement::count).sum(),
        all.stream().mapToDouble(Measurement::seconds).sum(),
        all.stream().mapToDouble(Measurement::cpuSeconds).sum(),
        durations);
  }

  double perSecond() {
    return count / seconds;
  }

  /** Signatures a second of one processor that does nothing else. */
  double perCpuSecond() {
    return count / cpuSeconds;
  }

  double cpuMicros() {
    return cpuSeconds * 1e6 / count;
  }

  double meanMicros() {
    return durations.meanNanos() / NANOS_PER_MICRO;
  }

  double maxMicros() {
    return durations.maxNanos() / NANOS_PER_MICRO;
  }

  double percentileMicros(double share) {
    return durations.percentileNanos(share) / NANOS_PER_MICRO;
  }

  /**
   * Little's law: rate by mean time is how many were under way, which in a closed loop is nearly
   * all workers. Anything else means a wrong count.
   */
  double underWayPerWorker() {
    return durations.sumNanos() / (seconds * 1e9 * workers);
  }
}
