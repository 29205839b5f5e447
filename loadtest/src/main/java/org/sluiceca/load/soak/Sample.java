package org.sluiceca.load.soak;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The certificates that OCSP is asked about: those with which something happened recently, and some
 * of long ago. Thread-safe.
 */
final class Sample {

  /** Few enough that each is asked about several times while its answer is kept. */
  private static final int RECENT = 24;

  /** Asked about from the beginning to the end: their answers expire and are renewed. */
  private static final int FIRST = 12;

  private final Random random;
  private final Deque<Integer> recent = new ArrayDeque<>();
  private final List<Integer> first = new ArrayList<>();

  Sample(Random random) {
    this.random = random;
  }

  /** Notes that something is about to happen with a certificate, or has. */
  synchronized void note(int certificate) {
    if (first.size() < FIRST && !first.contains(certificate)) {
      first.add(certificate);
    }
    boolean ignored = recent.remove(certificate);
    recent.addFirst(certificate);
    if (recent.size() > RECENT) {
      ignored = recent.pollLast() != null;
    }
  }

  /** Returns {@code count} certificates; the same may be among them twice. */
  synchronized List<Integer> some(int count) {
    List<Integer> all = new ArrayList<>(recent);
    all.addAll(first);
    List<Integer> some = new ArrayList<>();
    for (int i = 0; i < count && !all.isEmpty(); i++) {
      some.add(all.get(random.nextInt(all.size())));
    }
    return some;
  }
}
