package org.sluiceca.core.admit;

import java.util.concurrent.atomic.AtomicBoolean;
import org.sluiceca.core.sign.Lane;

/**
 * The way of an order into the backlog, held until it is recorded there or refused: not a place on
 * the line, so nothing is signed under it. Minted by {@link Admission} only. Thread-safe.
 */
public final class BacklogPermit implements AdmissionDecision.Permit {

  private final Admission admission;
  private final AtomicBoolean held = new AtomicBoolean(true);

  BacklogPermit(Admission admission) {
    this.admission = admission;
  }

  /** Returns {@link Lane#BULK}: no client waits for the order. */
  @Override
  public Lane lane() {
    return Lane.BULK;
  }

  /** Idempotent. */
  @Override
  public void close() {
    if (held.compareAndSet(true, false)) {
      admission.parked();
    }
  }
}
