package org.sluiceca.load.day.state;

/**
 * Certificates with consecutive numbers that are requested in one batch, and journalled together.
 *
 * @param index from 0 in the whole run
 * @param from the first number
 * @param count how many there are, 1 to {@link DayPlan#BLOCK_MAX}
 * @param requester who asks for them
 */
public record Block(int index, long from, int count, String requester) {}
