package org.sluiceca.hsm.limit;

/**
 * How long jobs should queue inside the token, and how fast a window goes there. The numbers are
 * the result of the simulation; docs/adr/0016 says what others did.
 */
public final class Targets {

  /** In base delays, times the square root of the engines that a node keeps busy. */
  private static final double OWN = 1.2;

  /** The same for all nodes together: a queue of 1.1 times the square root of the engines. */
  private static final double ALL = 1.1;

  /** Jobs that travel come less evenly: up to three times the queue. */
  private static final double TRAVELLING = 2;

  /** Below, a calibration that is 20 % off would hide the whole queue. */
  private static final double DELAY_MIN = 0.12;

  private static final double OWN_DELAY_MAX = 6;
  private static final double ALL_DELAY_MAX = 3;

  /** One surprising interval moves a window by a third at most. */
  private static final double STEP_MIN = 0.7;

  private static final double STEP_MAX = 1.25;

  private Targets() {}

  /**
   * The delay that a node aims at which sees only its own rate, seconds. It falls with that rate:
   * who has more than its share gives way, which is all that makes nodes equal without a word.
   */
  static double own(Sample seen) {
    return delay(seen, OWN, OWN_DELAY_MAX);
  }

  /** The delay that the leader aims at, seconds. */
  public static double all(Sample seen) {
    return delay(seen, ALL * (1 + TRAVELLING * (1 - 1 / seen.stretch())), ALL_DELAY_MAX);
  }

  /** Little's law: the window whose delay is the target, over the present one; bounded. */
  public static double step(Sample seen, double target) {
    return Math.clamp(
        (seen.meanBase() + target) / (seen.meanBase() + seen.meanDelay()), STEP_MIN, STEP_MAX);
  }

  private static double delay(Sample seen, double factor, double max) {
    double engines = seen.rate() * seen.meanService();
    return seen.meanService() * Math.clamp(factor / Math.sqrt(engines), DELAY_MIN, max);
  }
}
