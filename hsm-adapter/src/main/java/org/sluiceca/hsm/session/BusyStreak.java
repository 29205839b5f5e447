package org.sluiceca.hsm.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/**
 * Busy answers of one token without a signature between them. Some vendors have one code for a full
 * queue and for a dead device; what never signs, however long it is asked, is not busy
 * (docs/adr/0020). Thread-safe.
 */
final class BusyStreak {
  /** A token that serves others first still takes one of this many tries. */
  static final int ANSWERS = 20;

  /** Twice the longest queue of an HSM that we know of, 150 jobs at 30/s. */
  static final Duration TIME = Duration.ofSeconds(10);

  /** Sessions may be what is broken; but each login costs a token that is busy after all. */
  static final Duration RECONNECT_PAUSE = Duration.ofSeconds(5);

  /** What a busy answer means. */
  enum Meaning {
    /** Too much work at this moment. */
    BUSY,
    /** The token is lost. */
    LOST,
    /** The same, and it is time to try another session. */
    LOST_SO_RECONNECT
  }

  /** Read without the lock by threads that sign. */
  private volatile int answers;

  @GuardedBy("this")
  private long firstNanos;

  @GuardedBy("this")
  private long reconnectedNanos;

  /** The token has said that it is busy. */
  synchronized Meaning busy(long now) {
    if (answers == 0) {
      firstNanos = now;
      reconnectedNanos = now - RECONNECT_PAUSE.toNanos();
    }
    answers = Math.min(ANSWERS, answers + 1);
    if (answers < ANSWERS || now - firstNanos < TIME.toNanos()) {
      return Meaning.BUSY;
    }
    if (now - reconnectedNanos < RECONNECT_PAUSE.toNanos()) {
      return Meaning.LOST;
    }
    reconnectedNanos = now;
    return Meaning.LOST_SO_RECONNECT;
  }

  /** The token has signed. */
  void signed() {
    if (answers != 0) {
      end();
    }
  }

  private synchronized void end() {
    answers = 0;
  }
}
