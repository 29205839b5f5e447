package org.sluiceca.load.sizing;

/**
 * How long jobs wait for one of several engines: M/G/c, random arrivals and jobs whose times vary
 * as their kinds do. Erlang's C formula gives the wait with exponential times (M/M/c); others wait
 * (1 + v) / 2 as long, v their squared coefficient of variation (Allen and Cunneen's
 * approximation): half as long if all take the same time.
 */
final class Waiting {

  private Waiting() {}

  /** Returns the probability that a job finds all engines busy; 1 if they cannot keep up. */
  static double probability(int engines, double utilisation) {
    if (utilisation >= 1) {
      return 1;
    }
    double offered = engines * utilisation;
    // Erlang's B by its recurrence, which does not overflow; then C from B.
    double blocked = 1;
    for (int k = 1; k <= engines; k++) {
      blocked = offered * blocked / (k + offered * blocked);
    }
    return blocked / (1 - utilisation * (1 - blocked));
  }

  /**
   * Returns the mean seconds that a job waits before an engine takes it; infinite if they cannot
   * keep up.
   *
   * @param jobSeconds how long an engine is busy with one, on the mean
   * @param variation the variance of that time over the square of its mean; 0 if all take the same
   */
  static double seconds(int engines, double utilisation, double jobSeconds, double variation) {
    return utilisation >= 1
        ? Double.POSITIVE_INFINITY
        : probability(engines, utilisation)
            * jobSeconds
            * (1 + variation)
            / (2 * engines * (1 - utilisation));
  }
}
