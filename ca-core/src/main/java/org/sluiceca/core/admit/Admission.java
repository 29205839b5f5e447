package org.sluiceca.core.admit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * Step 1, admit: bounds the line in number and in time. It never blocks and does no I/O, so a
 * refusal costs microseconds whatever the token does. Thread-safe.
 */
public final class Admission {

  private final int placesMax;
  private final BooleanSupplier signerUsable;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final DrainRate drainRate = new DrainRate();

  @GuardedBy("lock")
  private final RetryAfter retryAfter;

  @GuardedBy("lock")
  private int inFlight;

  @GuardedBy("lock")
  private boolean signerLost;

  @GuardedBy("lock")
  private long signerLostSinceNanos;

  @GuardedBy("lock")
  private boolean draining;

  /**
   * Makes an empty line.
   *
   * @param placesMax how many requests may be between admission and outcome, at least 1
   * @param signerUsable whether any token can sign now; must return at once
   */
  public Admission(
      int placesMax, BooleanSupplier signerUsable, Ticker ticker, RandomGenerator random) {
    if (placesMax < 1) {
      throw new IllegalArgumentException("placesMax " + placesMax + " below 1");
    }
    this.placesMax = placesMax;
    this.signerUsable = signerUsable;
    this.ticker = ticker;
    this.retryAfter = new RetryAfter(random);
  }

  /** Takes a place, or says why there is none and when to come back. */
  public AdmissionDecision admit(Deadline deadline) {
    boolean usable = signerUsable.getAsBoolean();
    long now = ticker.nanoTime();
    lock.lock();
    try {
      if (draining) {
        return new Shed(Cause.DRAINING, Duration.ofSeconds(1));
      }
      if (!usable) {
        return new Shed(Cause.SIGNER_LOST, retryAfter.signerLost(lostSeconds(now)));
      }
      signerLost = false;
      if (inFlight >= placesMax) {
        return new Shed(Cause.SATURATED, retryAfter.refused(now, inFlight, placesMax, drainRate));
      }
      if (isUnreachable(deadline.atNanos() - now)) {
        return new Shed(
            Cause.DEADLINE_UNREACHABLE, retryAfter.refused(now, inFlight, placesMax, drainRate));
      }
      inFlight++;
      return new Admitted(this);
    } finally {
      lock.unlock();
    }
  }

  /** Refuses every request from now on; those admitted keep their places. */
  public void drain() {
    lock.lock();
    try {
      draining = true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the places taken and their bound, and what the line drains. */
  public Occupancy occupancy() {
    lock.lock();
    try {
      return new Occupancy(inFlight, placesMax, drainRate.perSecond());
    } finally {
      lock.unlock();
    }
  }

  /**
   * A snapshot of the line.
   *
   * @param drainPerSecond learnt completions a second; 0 while unknown
   */
  public record Occupancy(int inFlight, int placesMax, double drainPerSecond) {}

  /**
   * An empty line always takes a request whose deadline has not passed: its completion is what
   * teaches that the signer is fast again.
   */
  @GuardedBy("lock")
  private boolean isUnreachable(long remainingNanos) {
    return remainingNanos <= 0
        || (inFlight > 0 && drainRate.nanosFor(inFlight + 1.0) > remainingNanos);
  }

  void release(boolean completed) {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      inFlight--;
      if (completed) {
        drainRate.completed(now, inFlight);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private double lostSeconds(long nowNanos) {
    if (!signerLost) {
      signerLost = true;
      signerLostSinceNanos = nowNanos;
    }
    return (nowNanos - signerLostSinceNanos) / 1e9;
  }
}
