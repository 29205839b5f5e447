package org.sluiceca.core.admit;

import java.time.Duration;
import java.util.Optional;
import org.sluiceca.core.sign.Lane;

/** The answer of step 1. */
public sealed interface AdmissionDecision
    permits AdmissionDecision.Permit, AdmissionDecision.OfLine {

  /** The answer of the line: a place on it, or none. */
  sealed interface OfLine extends AdmissionDecision permits LinePermit, Shed {}

  /** What lets a request go on to step 2; to be given back. */
  sealed interface Permit extends AdmissionDecision, AutoCloseable
      permits LinePermit, BacklogPermit {

    /** Returns the lane in which its work is to be signed. */
    Lane lane();

    @Override
    void close();
  }

  /**
   * Refused for load or for want of a signer: nothing was parsed, queued or recorded.
   *
   * @param retryAfter when a place is likely, at least one second
   * @param limit what the requester has used up, if it is its own limit
   */
  record Shed(Cause cause, Duration retryAfter, Optional<Limit> limit) implements OfLine {}

  /**
   * What a requester may have, as the RateLimit-Policy header states it.
   *
   * @param requests how many
   * @param window in what time; zero if as many at once
   */
  record Limit(int requests, Duration window) {}

  /** Why a request was shed. */
  enum Cause {
    /** Every place is taken, and the requester has no more than its share of them. */
    SATURATED,
    /** The requester has more than its share of the places, and others want them too. */
    OVER_SHARE,
    /** The requester has used up its configured quota. */
    OVER_QUOTA,
    /** A place is free, but the work ahead would outlast the request's deadline. */
    DEADLINE_UNREACHABLE,
    /** No token can sign now. */
    SIGNER_LOST,
    /** The requester has as many orders in the backlog as it may. */
    ORDERS_OVER_QUOTA,
    /** The backlog holds as many orders as it may. */
    BACKLOG_FULL,
    /** The node is shutting down. */
    DRAINING
  }
}
