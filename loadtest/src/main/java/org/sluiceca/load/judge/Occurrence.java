package org.sluiceca.load.judge;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Something that has happened to the trial, or should have.
 *
 * @param what as the plan says it
 * @param hsm the HSM that it happened to; empty if to none
 * @param begunNanos when it was begun, by {@link System#nanoTime}
 * @param atNanos when it had happened: later, if it took its time
 * @param expected certificates a second that are due afterwards; empty if nothing is
 * @param hasFailed whether it could not be done: nothing recovers from it
 */
public record Occurrence(
    String what,
    Optional<String> hsm,
    long begunNanos,
    long atNanos,
    OptionalDouble expected,
    boolean hasFailed) {

  /** Returns what happened, and whether it did. */
  public String description() {
    return hasFailed ? what + " (failed)" : what;
  }
}
