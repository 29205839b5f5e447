package org.sluiceca.load.judge;

import java.util.OptionalDouble;

/**
 * Something that has happened to the trial.
 *
 * @param what as the plan says it
 * @param atNanos by {@link System#nanoTime}
 * @param expected certificates a second that are due afterwards; empty if nothing is
 */
public record Occurrence(String what, long atNanos, OptionalDouble expected) {}
