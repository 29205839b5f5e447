package org.sluiceca.hsm.lane;

/** What a waiter that woke up is to do. */
sealed interface Wait {
  /** Wait until then. */
  record Until(long nanos) implements Wait {}

  /** Its answer is there or about to be. */
  record Answered() implements Wait {}

  /** The deadline passed in the queue; the job is removed and never runs. */
  record Expired() implements Wait {}

  /** The call has run for this long; it becomes a zombie. */
  record TimedOut(long inTokenNanos) implements Wait {}
}
