package org.sluiceca.hsm.limit;

/** Gathers a {@link Sample}. Not thread-safe; the caller passes the time. */
final class Meter {
  /** A clock's step: what it measures as nothing took less, and must not be divided by. */
  static final double SECONDS_MIN = 1e-9;

  private long completions;
  private double delay;
  private double squares;
  private double service;
  private double travel;
  private int busy;
  private int inflightMax;
  private long sinceNanos;

  Meter(long nowNanos) {
    sinceNanos = nowNanos;
  }

  void started(int inflight) {
    inflightMax = Math.max(inflightMax, inflight);
  }

  void completed(double responseSeconds, double base, double rttSeconds) {
    double baseSeconds = Math.max(SECONDS_MIN, base);
    double inside = responseSeconds - baseSeconds - rttSeconds;
    completions++;
    delay += inside;
    squares += inside * inside;
    service += baseSeconds;
    travel += rttSeconds;
  }

  void busy() {
    busy++;
  }

  boolean hasBusy() {
    return busy > 0;
  }

  long completions() {
    return completions;
  }

  double elapsedSeconds(long nowNanos) {
    return (nowNanos - sinceNanos) / 1e9;
  }

  /** Returns what was seen since the last time, and begins again with {@code inflight} jobs. */
  Sample take(int inflight, long nowNanos) {
    Sample sample =
        new Sample(
            completions,
            delay,
            squares,
            service,
            travel,
            busy,
            inflightMax,
            elapsedSeconds(nowNanos));
    completions = 0;
    delay = 0;
    squares = 0;
    service = 0;
    travel = 0;
    busy = 0;
    inflightMax = inflight;
    sinceNanos = nowNanos;
    return sample;
  }
}
