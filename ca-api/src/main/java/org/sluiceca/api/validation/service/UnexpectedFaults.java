package org.sluiceca.api.validation.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/**
 * Counts and logs exceptions that a validation must not end with. Other machines may be able to
 * cause them, so at most one a {@link #PERIOD} is logged, by the types and places of the code
 * alone: a message could repeat what a machine sent. Thread-safe; does not block.
 */
public final class UnexpectedFaults {

  static final Duration PERIOD = Duration.ofMinutes(1);

  /** Where the exception was thrown, and by which way. */
  private static final int FRAMES_MAX = 8;

  private static final int CAUSES_MAX = 3;

  private final Logger log;
  private final InstantSource clock;
  private final AtomicLong count = new AtomicLong();
  private final AtomicReference<Instant> next = new AtomicReference<>(Instant.MIN);

  /** Logs with the logger of the class that owns it. */
  public UnexpectedFaults(Logger log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  /** Returns how many there were. */
  public long count() {
    return count.get();
  }

  /**
   * Reports one.
   *
   * @param what failed, of names that this CA has checked
   */
  public void report(String what, Throwable fault) {
    long number = count.incrementAndGet();
    Instant now = clock.instant();
    Instant due = next.get();
    if (!now.isBefore(due) && next.compareAndSet(due, now.plus(PERIOD))) {
      log.error(
          "{} failed unexpectedly, number {} since the start; others within {} s are counted alone:"
              + " {}",
          what,
          number,
          PERIOD.toSeconds(),
          text(fault));
    }
  }

  private static String text(Throwable fault) {
    StringBuilder text = new StringBuilder();
    Throwable at = fault;
    for (int i = 0; at != null && i < CAUSES_MAX; i++, at = at.getCause()) {
      text.append(i == 0 ? "" : ", caused by ")
          .append(at.getClass().getName())
          .append(
              Arrays.stream(at.getStackTrace())
                  .limit(FRAMES_MAX)
                  .map(frame -> " at " + frame)
                  .collect(Collectors.joining()));
    }
    return text.toString();
  }
}
