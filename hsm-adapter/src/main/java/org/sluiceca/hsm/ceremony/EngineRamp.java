package org.sluiceca.hsm.ceremony;

import java.util.OptionalInt;

/**
 * Finds how many engines a token has, by handing it twice as many jobs at once until no more come
 * out. Pure: the caller passes the measurements.
 */
final class EngineRamp {

  /** More threads than this say more about this host than about the token. */
  static final int IN_FLIGHT_MAX = 128;

  /**
   * Twice as many jobs in the token bring at least half as many more while there are engines for
   * them; below that it is the last engines, or noise.
   */
  private static final double GROWTH = 1.25;

  private final double baseSeconds;
  private double bestRate;
  private int best = 1;
  private int inFlight = 1;
  private boolean isOver;

  /** Begins from one job at a time, which took so long. */
  EngineRamp(double baseSeconds) {
    this.baseSeconds = baseSeconds;
    this.bestRate = 1 / baseSeconds;
  }

  /** Returns how many jobs to keep in the token next; empty when nothing more is to be learnt. */
  OptionalInt next() {
    return isOver || inFlight >= IN_FLIGHT_MAX ? OptionalInt.empty() : OptionalInt.of(2 * inFlight);
  }

  /**
   * Takes the signatures per second that were measured with the number of jobs from {@link #next}.
   */
  void measured(double rate) {
    inFlight *= 2;
    isOver = rate < GROWTH * bestRate;
    if (rate > bestRate) {
      bestRate = rate;
      best = inFlight;
    }
  }

  /** The token had no room for that many jobs. */
  void refused() {
    isOver = true;
  }

  /** Returns the engines: Little's law over the best that was seen, at least 1. */
  int engines() {
    return Math.clamp(Math.round(bestRate * baseSeconds), 1, best);
  }

  /** Returns how many jobs were in the token when most came out. */
  int best() {
    return best;
  }

  /** Returns the best rate, signatures a second. */
  double bestRate() {
    return bestRate;
  }
}
