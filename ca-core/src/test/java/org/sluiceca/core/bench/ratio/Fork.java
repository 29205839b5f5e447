package org.sluiceca.core.bench.ratio;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.core.bench.ratio.Figures.Cost;
import org.sluiceca.core.bench.ratio.LineWork.Work;
import org.sluiceca.core.failure.RejectedException;

/**
 * One JVM of a run: warms up, then measures all work in turn, some milliseconds each, round after
 * round, and prints the figures. Measures the processor time of its thread and not the time that
 * passes, which includes waits for other programs.
 */
final class Fork {

  /** C2 has compiled all of it after some 10 s of processor time. */
  private static final Duration WARM_UP = Duration.ofSeconds(12);

  private static final int REQUESTS = 1_024;

  private static final int ROUNDS = 60;

  /** Of one piece of work in one round. */
  private static final double TURN_NANOS = 10e6;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<Turn> turns = new ArrayList<>();

  /** What the work returned last. */
  private Object kept = "";

  /** A piece of work and how often it can be repeated in its turn. */
  private static final class Turn {
    private final String name;
    private final Work work;
    private int times = 1;

    Turn(String name, Work work) {
      this.name = name;
      this.work = work;
    }
  }

  private Fork(Map<String, Work> all) {
    all.forEach((name, work) -> turns.add(new Turn(name, work)));
  }

  public static void main(String[] arguments)
      throws GeneralSecurityException, RejectedException, IOException {
    Fork fork = new Fork(new LineWork(REQUESTS).all());
    fork.warmUp();
    List<Map<String, Cost>> rounds = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      rounds.add(fork.round(i % 2 == 1));
    }
    Figures.ofRounds(rounds).lines().forEach(System.out::println);
    if (fork.kept.equals("")) {
      throw new IllegalStateException("nothing was done");
    }
  }

  private void warmUp() throws RejectedException, GeneralSecurityException, IOException {
    long end = THREADS.getCurrentThreadCpuTime() + WARM_UP.toNanos();
    while (THREADS.getCurrentThreadCpuTime() < end) {
      for (Turn turn : turns) {
        turn.times = (int) Math.max(1, TURN_NANOS / cost(turn).nanos());
      }
    }
  }

  private Map<String, Cost> round(boolean isReversed)
      throws RejectedException, GeneralSecurityException, IOException {
    Map<String, Cost> costs = new LinkedHashMap<>();
    for (Turn turn : isReversed ? turns.reversed() : turns) {
      costs.put(turn.name, cost(turn));
    }
    return costs;
  }

  private Cost cost(Turn turn) throws RejectedException, GeneralSecurityException, IOException {
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long nanos = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < turn.times; i++) {
      kept = turn.work.once();
    }
    return new Cost(
        (double) (THREADS.getCurrentThreadCpuTime() - nanos) / turn.times,
        (double) (THREADS.getCurrentThreadAllocatedBytes() - bytes) / turn.times);
  }
}
