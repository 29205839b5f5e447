package org.sluiceca.load.soak.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.sluiceca.load.page.Text;

/**
 * Judges whether nodes answer at all: one that hangs says nothing that could be wrong. Thread-safe;
 * of one node looks are to come in the order in which they were made.
 */
public final class SilenceJudge {

  private final Lives lives;
  private final Findings findings;
  private final Bounds bounds;
  private final Instant began;

  /** When each node answered last. */
  private final Map<Integer, Instant> answered = new HashMap<>();

  /**
   * The time that a living node is given.
   *
   * @param silent from one answer to the next, while clients ask all the time
   * @param awake how long a node must have lived for that; longer than {@code silent}
   */
  public record Bounds(Duration silent, Duration awake) {

    /** Or a node's silence while it was down would count. */
    public Bounds {
      if (awake.compareTo(silent) < 0) {
        throw new IllegalArgumentException(awake + " is shorter than " + silent);
      }
    }
  }

  /** Judges nodes that are asked from {@code began} on. */
  public SilenceJudge(Lives lives, Findings findings, Bounds bounds, Instant began) {
    this.lives = lives;
    this.findings = findings;
    this.bounds = bounds;
    this.began = began;
  }

  /** Judges a request that was answered, whatever the answer says. */
  public synchronized void answered(Look look) {
    check(look.node(), look.sent(), look.received());
    Instant ignored = answered.put(look.node(), look.received());
  }

  /**
   * Judges a request that was not answered.
   *
   * @param look with the time when it was given up for the one when it was received
   */
  public synchronized void unanswered(Look look) {
    check(look.node(), look.sent(), look.received());
  }

  /** Judges the last moment: a node must have answered shortly before, even if not asked. */
  public synchronized void end(Instant at) {
    lives.living().forEach(node -> check(node, at, at));
  }

  private void check(int node, Instant sent, Instant now) {
    if (lives.isSteadySince(node, sent.minus(bounds.awake()))) {
      Instant last = answered.getOrDefault(node, began);
      findings.check(
          Rule.SILENT,
          !now.isAfter(last.plus(bounds.silent())),
          Text.format("node %d at %s: asked, and nothing heard of it since %s", node, now, last));
    }
  }
}
