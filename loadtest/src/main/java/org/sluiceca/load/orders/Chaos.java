package org.sluiceca.load.orders;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Kills a node at random, never the last one, and has it started again some seconds later. Used by
 * one thread.
 */
final class Chaos {

  private static final Duration DEAD = Duration.ofSeconds(5);
  private static final int FAILED_IN_A_ROW_MAX = 2;

  private final TrialNodes nodes;
  private final Random random;
  private final PrintStream progress;
  private long nextAtNanos = System.nanoTime() + Duration.ofSeconds(10).toNanos();
  private boolean isOneDead;
  private int kills;
  private int failedStarts;
  private int failedInARow;

  Chaos(TrialNodes nodes, Random random, PrintStream progress) {
    this.progress = progress;
    this.nodes = nodes;
    this.random = random;
  }

  /** Does what is due: blocks for a node's start, and not if nothing is due. */
  void turn(Duration livesLeast, int livesMoreSeconds) {
    if (System.nanoTime() - nextAtNanos < 0) {
      return;
    }
    if (isOneDead) {
      start();
      later(livesLeast.plusSeconds(random.nextInt(livesMoreSeconds)));
    } else {
      List<Integer> living = nodes.living();
      if (living.size() > 1) {
        nodes.kill(living.get(random.nextInt(living.size())));
        kills++;
        isOneDead = true;
      }
      later(DEAD);
    }
  }

  /** A busy machine may start a node too late once; one that never starts is what a run shows. */
  private void start() {
    try {
      nodes.up(nodes.count());
      isOneDead = false;
      failedInARow = 0;
    } catch (TrialException e) {
      failedStarts++;
      failedInARow++;
      if (failedInARow > FAILED_IN_A_ROW_MAX) {
        throw e;
      }
      progress.println("sluice: a node did not start, again: " + e.getMessage());
    }
  }

  /** How often a node that was killed did not start in the launcher's time. */
  int failedStarts() {
    return failedStarts;
  }

  int kills() {
    return kills;
  }

  private void later(Duration wait) {
    nextAtNanos = System.nanoTime() + wait.toNanos();
  }
}
