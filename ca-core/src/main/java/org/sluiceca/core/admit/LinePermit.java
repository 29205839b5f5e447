package org.sluiceca.core.admit;

import java.util.concurrent.atomic.AtomicBoolean;
import org.sluiceca.core.admit.share.Share;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningPool;

/**
 * A place on the line, held from admission until the enrollment is finished or refused. Minted by
 * {@link Admission} only. Thread-safe.
 */
public final class LinePermit implements AdmissionDecision.Permit, AdmissionDecision.OfLine {

  private final Admission admission;
  private final SignerQueue line;
  private final Lane lane;
  private final Share share;
  private final double cost;
  private final long sinceNanos;
  private final AtomicBoolean held = new AtomicBoolean(true);

  /** A place of {@code line}, for work that {@code share} has taken. */
  LinePermit(
      Admission admission, SignerQueue line, Lane lane, Share share, double cost, long sinceNanos) {
    this.admission = admission;
    this.line = line;
    this.lane = lane;
    this.share = share;
    this.cost = cost;
    this.sinceNanos = sinceNanos;
  }

  @Override
  public Lane lane() {
    return lane;
  }

  /** Returns where it will be signed. */
  public SigningPool pool() {
    return line.pool;
  }

  /** Returns the work that it was admitted with, at least 1, as the cheapest request has. */
  public double cost() {
    return cost;
  }

  /** Returns where it stands now; its own work counts as ahead of its answer. */
  public QueuePosition position() {
    return admission.position(this);
  }

  /** Gives the place back because a signature was made: teaches the drain rate. Idempotent. */
  public void completed() {
    if (held.compareAndSet(true, false)) {
      admission.release(this, true);
    }
  }

  /** Gives the place back and teaches nothing, for work that was refused. Idempotent. */
  @Override
  public void close() {
    if (held.compareAndSet(true, false)) {
      admission.release(this, false);
    }
  }

  SignerQueue line() {
    return line;
  }

  Share share() {
    return share;
  }

  long sinceNanos() {
    return sinceNanos;
  }
}
