package org.sluiceca.core.failure;

/**
 * Carries a {@link Rejection} from a step to the line, which turns it into a result. Checked, so
 * that no step's refusal can be overlooked; without a stack trace, for a refusal is ordinary.
 */
public final class RejectedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Rejection rejection;

  public RejectedException(Rejection.Reason reason, String detail) {
    super(detail, null, false, false);
    this.rejection = new Rejection(reason, detail);
  }

  /** Returns what was refused and why. */
  public Rejection rejection() {
    return rejection;
  }
}
