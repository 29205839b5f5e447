package org.sluiceca.core.time;

/** A monotonic clock for waits and deadlines, unrelated to the date. Thread-safe. */
@FunctionalInterface
public interface Ticker {

  /** Returns nanoseconds since an arbitrary origin; only differences mean anything. */
  long nanoTime();
}
