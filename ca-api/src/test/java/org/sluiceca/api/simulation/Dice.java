package org.sluiceca.api.simulation;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Seeded chance. */
final class Dice {

  private final SplittableRandom random;

  Dice(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Returns a generator of its own, so that its draws do not move this one's. */
  RandomGenerator generator() {
    return random.split();
  }

  SplittableRandom split() {
    return random.split();
  }

  boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns nanoseconds between the two, small ones likelier. */
  long nanos(Duration least, Duration most) {
    double part = random.nextDouble();
    return least.toNanos() + (long) (part * part * (most.toNanos() - least.toNanos()));
  }

  long millis(int least, int most) {
    return nanos(Duration.ofMillis(least), Duration.ofMillis(most));
  }
}
