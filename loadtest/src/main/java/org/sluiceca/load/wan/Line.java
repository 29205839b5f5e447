package org.sluiceca.load.wan;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One way between clients and a node: bytes are sent at its rate, one after another, and arrive
 * half a round trip later. A line has no idle time that it could make up for. Thread-safe.
 */
final class Line {

  private static final double NANOS_PER_SECOND = 1e9;

  private final double nanosPerByte;
  private final long delayNanos;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private long freeAt;

  /**
   * A line that is free.
   *
   * @param bitsPerSecond above 0
   * @param delayNanos from the last bit's sending to its arrival
   * @param now a time of {@link System#nanoTime}
   */
  Line(double bitsPerSecond, long delayNanos, long now) {
    this.nanosPerByte = 8 * NANOS_PER_SECOND / bitsPerSecond;
    this.delayNanos = delayNanos;
    this.freeAt = now;
  }

  /** Sends bytes as soon as the line is free, and returns when the last one arrives. */
  long send(int bytes, long now) {
    lock.lock();
    try {
      long begins = now - freeAt > 0 ? now : freeAt;
      freeAt = begins + (long) (bytes * nanosPerByte);
      return freeAt + delayNanos;
    } finally {
      lock.unlock();
    }
  }
}
