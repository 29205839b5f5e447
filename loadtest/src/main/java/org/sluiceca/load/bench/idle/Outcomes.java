package org.sluiceca.load.bench.idle;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.sluiceca.load.page.Text;

/** What came of each request of a schedule. Thread-safe. */
final class Outcomes {

  private static final long UNSENT = 0;
  private static final long UNANSWERED = -1;
  private static final long REFUSED = -2;
  private static final long FAILED = -3;

  private final Schedule schedule;

  /** Of each request: one of the above, or its latency in nanoseconds if it was issued. */
  private final AtomicLongArray all;

  private final AtomicReference<String> fault = new AtomicReference<>("");

  Outcomes(Schedule schedule) {
    this.schedule = schedule;
    this.all = new AtomicLongArray(schedule.count());
  }

  void send(int request) {
    all.set(request, UNANSWERED);
  }

  /** The latency counts from the time when it was due, in nanoseconds. */
  void issue(int request, long nanos) {
    all.set(request, Math.max(1, nanos));
  }

  void refuse(int request, String why) {
    all.set(request, REFUSED);
    fault.set(why);
  }

  void fail(int request, IOException e) {
    all.set(request, FAILED);
    fault.set(e.toString());
  }

  /** Returns why the last request that got no certificate did not. */
  Optional<String> fault() {
    return Optional.of(fault.get()).filter(text -> !text.isEmpty());
  }

  /**
   * The requests that were due in one window. Latencies are of those that were issued.
   *
   * @param errors requests whose connection failed, or that have no answer
   */
  record Counts(
      long due,
      long sent,
      long issued,
      long other,
      long errors,
      double p50Millis,
      double p99Millis,
      double maxMillis) {

    /** Returns the words of a record's line, tabs between them. */
    String words() {
      return Text.format(
          "due=%d\tsent=%d\tissued=%d\tother=%d\terrors=%d\tp50Millis=%s\tp99Millis=%s"
              + "\tmaxMillis=%s",
          due, sent, issued, other, errors, word(p50Millis), word(p99Millis), word(maxMillis));
    }

    private static String word(double millis) {
      return Double.isNaN(millis) ? "unknown" : Text.number(millis, 3);
    }
  }

  /** Returns what came of the requests of a window, numbered from 0. */
  Counts of(int window) {
    int from = schedule.first(window);
    int until = schedule.first(window + 1);
    long[] states = new long[until - from];
    Arrays.setAll(states, i -> all.get(from + i));
    long[] latencies = Arrays.stream(states).filter(state -> state > 0).sorted().toArray();
    return new Counts(
        states.length,
        Arrays.stream(states).filter(state -> state != UNSENT).count(),
        latencies.length,
        Arrays.stream(states).filter(state -> state == REFUSED).count(),
        Arrays.stream(states).filter(state -> state == FAILED || state == UNANSWERED).count(),
        millis(latencies, 0.5),
        millis(latencies, 0.99),
        millis(latencies, 1));
  }

  private static double millis(long[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))] / 1e6;
  }
}
