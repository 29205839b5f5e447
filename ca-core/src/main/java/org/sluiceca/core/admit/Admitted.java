package org.sluiceca.core.admit;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A place on the line, held from admission until the enrollment is finished or refused. Minted by
 * {@link Admission} only. Thread-safe.
 */
public final class Admitted implements AdmissionDecision, AutoCloseable {

  private final Admission admission;
  private final AtomicBoolean held = new AtomicBoolean(true);

  Admitted(Admission admission) {
    this.admission = admission;
  }

  /** Gives the place back because a signature was made: teaches the drain rate. Idempotent. */
  public void completed() {
    if (held.compareAndSet(true, false)) {
      admission.release(true);
    }
  }

  /** Gives the place back and teaches nothing, for work that was refused. Idempotent. */
  @Override
  public void close() {
    if (held.compareAndSet(true, false)) {
      admission.release(false);
    }
  }
}
