package org.sluiceca.core.audit;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a node looks whether a checkpoint is due, so that all nodes together take one in a period:
 * it covers the chains of all. The node that took the last one takes the next, earlier than others
 * would; if it does not, another one does before a row has stood for a period. For one thread.
 */
public final class CheckpointPace {

  /** Of the period, after which the node takes the next one that took the last. */
  private static final double OWN = 0.8;

  /** Of the period, after which others do, each at a time of its own. */
  private static final double OTHERS_MIN = 0.85;

  private static final double OTHERS_MAX = 0.97;

  /** Of the period, the shortest wait. */
  private static final double WAIT_MIN = 0.01;

  /** What came of a look. */
  public enum Look {
    /** This node took a checkpoint, or found nothing to cover. */
    COVERED,
    /** Another node's is young enough. */
    NOT_DUE,
    /** One was due and is not there, or this node cannot sign any. */
    FAILED
  }

  private final Duration period;
  private final RandomGenerator random;
  private Duration spacing;

  /** Goes by how long a row may stand before a checkpoint covers it. */
  public CheckpointPace(Duration period, RandomGenerator random) {
    this.period = period;
    this.random = random;
    this.spacing = others();
  }

  private Duration others() {
    return part(OTHERS_MIN + (OTHERS_MAX - OTHERS_MIN) * random.nextDouble());
  }

  private Duration part(double part) {
    return Duration.ofNanos((long) (part * period.toNanos()));
  }

  /** Returns how long to wait after the start. Each node another time: else all want one number. */
  public Duration first() {
    return part(random.nextDouble());
  }

  /** Returns how old what covers the trail must be before this node takes a checkpoint. */
  public Duration spacing() {
    return spacing;
  }

  /**
   * Returns how long to wait for the next look, less than a period. After a failure others go
   * first: each attempt leaves a number that is not signed.
   *
   * @param age of what covers the trail
   */
  public Duration next(Look last, Duration age) {
    spacing = last == Look.COVERED ? part(OWN) : others();
    Duration wait = last == Look.FAILED ? spacing : spacing.minus(age);
    Duration least = part(WAIT_MIN);
    return wait.compareTo(least) < 0 ? least : wait;
  }
}
