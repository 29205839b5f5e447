package org.sluiceca.api.console.live.feed;

/**
 * What one requester or protocol was given since the counting began.
 *
 * @param granted certificates of a requester, or accepted requests of a protocol
 * @param refused requests, for load or for cause
 */
public record Tally(long granted, long refused) {

  static final Tally NONE = new Tally(0, 0);
}
