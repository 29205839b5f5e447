package org.sluiceca.core.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.sluiceca.core.time.Ticker;

/** A clock and a ticker that move together, and only when a test says so. Thread-safe. */
public final class ManualTime implements InstantSource, Ticker {

  private final Instant start;
  private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);

  /** Starts at {@code start}. */
  public ManualTime(Instant start) {
    this.start = start;
  }

  /** Lets {@code time} pass. */
  public void pass(Duration time) {
    passed.accumulateAndGet(time, Duration::plus);
  }

  @Override
  public Instant instant() {
    return start.plus(passed.get());
  }

  @Override
  public long nanoTime() {
    return passed.get().toNanos();
  }
}
