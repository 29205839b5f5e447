package org.sluiceca.load.soak;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.soak.judge.Lives;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Kills nodes and stops them for a while, one upset after the other; at least one node always
 * lives. Every second time it takes the node that leads. Used by one thread.
 */
final class FaultInjector {

  /** Of the one node whose word counts for all (docs/adr/0016). */
  private static final String LEADER = "ca_limiter_leader";

  private static final Duration DEAD = Duration.ofSeconds(5);

  /** Leases are for seconds: another node leads when this one goes on and does not know. */
  private static final Duration STOPPED = Duration.ofSeconds(20);

  /** Longer than a CRL and an OCSP answer hold: all that it kept has ended. */
  private static final Duration STOPPED_LONG = SoakTerms.CRL_LIFETIME.plusSeconds(8);

  /** Two processors take longer than the launcher waits, at times: that is 3 minutes each time. */
  private static final int STARTS_MAX = 2;

  private final TrialNodes nodes;
  private final NodeAddresses doors;
  private final Lives lives;
  private final Random random;
  private final PrintStream progress;
  private final Map<Kind, Integer> done = new EnumMap<>(Kind.class);
  private final List<Kind> next = new ArrayList<>();
  private int leaders;
  private int all;

  /** What is done to nodes. */
  enum Kind {
    KILLED("killed"),
    STOPPED("stopped for 20 s"),
    STOPPED_LONG("stopped for longer than a CRL holds"),
    STOPPED_AND_KILLED("stopped while another was killed");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }

    /** Returns whether a node is killed. */
    boolean isKill() {
      return this == KILLED || this == STOPPED_AND_KILLED;
    }

    /** Returns whether a node is stopped, and goes on. */
    boolean isStop() {
      return this != KILLED;
    }
  }

  FaultInjector(
      TrialNodes nodes, NodeAddresses doors, Lives lives, Random random, PrintStream progress) {
    this.nodes = nodes;
    this.doors = doors;
    this.lives = lives;
    this.random = random;
    this.progress = progress;
  }

  /** Returns how often each kind was done. */
  Map<Kind, Integer> done() {
    return Map.copyOf(done);
  }

  /**
   * Returns whether a node was killed and one stopped, in a long run also longer than a CRL holds.
   */
  boolean isEnough(boolean isLong) {
    return done.keySet().stream().anyMatch(Kind::isKill)
        && done.keySet().stream().anyMatch(Kind::isStop)
        && (!isLong || done.containsKey(Kind.STOPPED_LONG));
  }

  /** Returns how often the leader was among the victims. */
  int leaders() {
    return leaders;
  }

  /** Injects one fault and repairs it; the kinds take turns. Blocks until all nodes live. */
  void one(boolean isLong) throws InterruptedException {
    if (next.isEmpty()) {
      next.addAll(isLong ? List.of(Kind.values()) : List.of(Kind.KILLED, Kind.STOPPED));
      if (isLong) {
        Collections.shuffle(next, random);
      }
      if (nodes.count() < 3) {
        boolean ignored = next.remove(Kind.STOPPED_AND_KILLED);
      }
    }
    Kind kind = next.removeFirst();
    int victim = victim();
    progress.println("sluice: node " + victim + ": " + kind.words());
    switch (kind) {
      case KILLED -> {
        kill(victim);
        Thread.sleep(DEAD);
        start();
      }
      case STOPPED -> stop(victim, STOPPED, () -> {});
      case STOPPED_LONG -> stop(victim, STOPPED_LONG, () -> {});
      case STOPPED_AND_KILLED -> {
        int other = (victim + 1) % nodes.count();
        stop(victim, STOPPED, () -> kill(other));
        start();
      }
    }
    int ignored = done.merge(kind, 1, Integer::sum);
  }

  private void kill(int node) {
    lives.down(node);
    nodes.kill(node);
  }

  /** A process that goes on where it was: it takes what it knew for true, and leads if it led. */
  private void stop(int node, Duration time, Runnable meanwhile) throws InterruptedException {
    lives.down(node);
    nodes.stop(node);
    try {
      Thread.sleep(DEAD);
      meanwhile.run();
      Thread.sleep(time.minus(DEAD));
    } finally {
      nodes.goOn(node);
      lives.up(node, Instant.now());
    }
  }

  private void start() {
    for (int tries = 1; ; tries++) {
      try {
        nodes.up(nodes.count());
        break;
      } catch (TrialException e) {
        if (tries == STARTS_MAX) {
          throw e;
        }
        progress.println("sluice: once more: " + e.getMessage());
      }
    }
    Instant now = Instant.now();
    List<Integer> living = lives.living();
    for (int node = 0; node < nodes.count(); node++) {
      if (!living.contains(node)) {
        lives.up(node, now);
      }
    }
  }

  private int victim() {
    Optional<Integer> leader = Optional.empty();
    if (all++ % 2 == 0) {
      leader =
          lives.living().stream()
              .filter(node -> doors.metrics(node).getOrDefault(LEADER, 0.0) > 0)
              .findFirst();
    }
    leaders += leader.isPresent() ? 1 : 0;
    return leader.orElseGet(() -> random.nextInt(nodes.count()));
  }
}
