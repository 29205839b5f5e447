package org.sluiceca.load.orders;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Kills a node at random, never the last one, and has it started again some seconds later. Used by
 * one thread.
 */
final class Chaos {

  private static final Duration DEAD = Duration.ofSeconds(5);

  private final TrialNodes nodes;
  private final Random random;
  private long nextAtNanos = System.nanoTime() + Duration.ofSeconds(10).toNanos();
  private boolean isOneDead;
  private int kills;

  Chaos(TrialNodes nodes, Random random) {
    this.nodes = nodes;
    this.random = random;
  }

  /** Does what is due: blocks for a node's start, and not if nothing is due. */
  void turn(Duration livesLeast, int livesMoreSeconds) {
    if (System.nanoTime() - nextAtNanos < 0) {
      return;
    }
    if (isOneDead) {
      nodes.up(nodes.count());
      isOneDead = false;
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

  int kills() {
    return kills;
  }

  private void later(Duration wait) {
    nextAtNanos = System.nanoTime() + wait.toNanos();
  }
}
