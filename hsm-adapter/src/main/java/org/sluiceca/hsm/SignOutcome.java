package org.sluiceca.hsm;

/** How a job that a session thread had taken ended, for metrics. */
public enum SignOutcome {
  /** Signed, and the waiter has the signature. */
  SIGNED,
  /** The token was busy. */
  BUSY,
  /** Refused for cause: mechanism, data, key missing or another key than expected. */
  REFUSED,
  /** A session, login or the token was lost during the call. */
  LOST,
  /** The call returned after its waiter had gone; its result was dropped. */
  LATE,
  /** Dropped before the token saw it: the deadline could not be met. */
  DROPPED
}
