package org.sluiceca.core.failure;

import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.Rejection.Reason;

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

  /** Refuses a request. */
  public RejectedException(Rejection rejection) {
    this(rejection.reason(), rejection.detail());
  }

  /** Refuses a request for bytes in it that could not be read. */
  public static RejectedException of(DerException fault) {
    Reason reason =
        switch (fault.kind()) {
          case MALFORMED -> Reason.MALFORMED_CSR;
          case KEY_NOT_SUPPORTED, SIGNATURE_NOT_SUPPORTED -> Reason.UNSUPPORTED_ALGORITHM;
          case KEY_NOT_VALID -> Reason.WEAK_KEY;
          case NAME_NOT_SUPPORTED -> Reason.NAME_NOT_ALLOWED;
        };
    return new RejectedException(reason, fault.fault());
  }

  /** Returns what was refused and why. */
  public Rejection rejection() {
    return rejection;
  }
}
