package org.sluiceca.core.admit;

import org.sluiceca.core.sign.Lane;

/**
 * What a lane may have of the line.
 *
 * @param workSecondsMax predicted work that it may hold, in seconds at the rate it drains
 * @param reservedPart the part of all places that only it may take
 * @param placesPart the part of all places that it may take at most
 */
record LaneTerms(double workSecondsMax, double reservedPart, double placesPart) {

  /**
   * An accepted request that waits longer is taken over by recovery, to the end of its lane's
   * queue: a claim lives for 15 s, of which 2 s are for its record and 3 s for a wrong prediction.
   */
  static final double PROMISE_SECONDS_MAX = 10;

  private static final LaneTerms STATUS = new LaneTerms(PROMISE_SECONDS_MAX, 0, 1);

  /** Not asked for answers within seconds, and the last that should be turned away. */
  private static final LaneTerms RENEWAL = new LaneTerms(PROMISE_SECONDS_MAX, 1 / 8.0, 1);

  /**
   * A client waits: a refusal now is better than an answer after the client has stopped waiting.
   */
  private static final LaneTerms INTERACTIVE = new LaneTerms(2, 1 / 8.0, 1);

  /** Enough to use what the others leave. */
  private static final LaneTerms BULK = new LaneTerms(5, 1 / 16.0, 1 / 4.0);

  static LaneTerms of(Lane lane) {
    return switch (lane) {
      case STATUS -> STATUS;
      case RENEWAL -> RENEWAL;
      case INTERACTIVE -> INTERACTIVE;
      case BULK -> BULK;
    };
  }

  /** Returns how many of {@code places} only this lane may take. */
  int reserved(int places) {
    return (int) (places * reservedPart);
  }

  /** Returns how many of {@code places} it may take, at least one. */
  int most(int places) {
    return Math.max(1, (int) (places * placesPart));
  }
}
