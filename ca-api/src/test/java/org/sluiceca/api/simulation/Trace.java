package org.sluiceca.api.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened, as a hash; and as text for a developer who replays a seed. */
final class Trace {

  /** Of a full trace the end is what matters. */
  private static final int LINES_MAX = 100_000;

  private final boolean isFull;
  private final Deque<String> lines = new ArrayDeque<>();
  private long hash = 0xCBF29CE484222325L;

  Trace(boolean isFull) {
    this.isFull = isFull;
  }

  /** Notes a fact; numbers, not text, for most worlds are never read. */
  void note(long now, String what, long a, long b) {
    mix(now);
    mix(what.hashCode());
    mix(a);
    mix(b);
    if (isFull) {
      if (lines.size() == LINES_MAX) {
        lines.removeFirst();
      }
      lines.add("%12.6f %s %x %x".formatted(now / 1e9, what, a, b));
    }
  }

  /** Returns a hash over everything noted. */
  long hash() {
    return hash;
  }

  /** Returns the lines of a full trace, without the baton's own. */
  List<String> lines() {
    return lines.stream().filter(l -> !l.contains(" run ")).toList();
  }

  /** Describes a throwable in the lines that matter. */
  static String text(Throwable broken) {
    StringBuilder text = new StringBuilder(broken.toString());
    StackTraceElement[] stack = broken.getStackTrace();
    for (int i = 0; i < Math.min(6, stack.length); i++) {
      text.append("\n      at ").append(stack[i]);
    }
    return text.toString();
  }

  private void mix(long value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 29;
  }
}
