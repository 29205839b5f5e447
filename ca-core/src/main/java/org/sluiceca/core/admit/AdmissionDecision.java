package org.sluiceca.core.admit;

import java.time.Duration;

/** The answer of step 1. */
public sealed interface AdmissionDecision permits Admitted, AdmissionDecision.Shed {

  /**
   * Refused for load or for want of a signer: nothing was parsed, queued or recorded.
   *
   * @param retryAfter when a place is likely, at least one second
   */
  record Shed(Cause cause, Duration retryAfter) implements AdmissionDecision {}

  /** Why a request was shed. */
  enum Cause {
    /** Every place is taken. */
    SATURATED,
    /** A place is free, but the work ahead would outlast the request's deadline. */
    DEADLINE_UNREACHABLE,
    /** No token can sign now. */
    SIGNER_LOST,
    /** The node is shutting down. */
    DRAINING
  }
}
