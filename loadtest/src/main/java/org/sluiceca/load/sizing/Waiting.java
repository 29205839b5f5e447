package org.sluiceca.load.sizing;

/**
 * How long jobs wait for one of several engines: M/D/c, random arrivals and jobs that all take the
 * same time. Erlang's C formula gives the wait with exponential times (M/M/c); constant times wait
 * half as long (Allen and Cunneen's approximation, with squared coefficients of variation 1 and 0).
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
   * @param jobSeconds how long an engine is busy with one
   */
  static double seconds(int engines, double utilisation, double jobSeconds) {
    return utilisation >= 1
        ? Double.POSITIVE_INFINITY
        : probability(engines, utilisation) * jobSeconds / (2 * engines * (1 - utilisation));
  }
}
