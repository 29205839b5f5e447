package org.sluiceca.core.renewal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The time in which a client should renew: suggestedWindow (RFC 9773 4.2). The client takes a
 * random time in it, and renews at once if that has passed. Immutable and thread-safe.
 *
 * @param start the first moment
 * @param end the last moment, after {@code start}: RFC 9773 4.2 forbids an empty window
 */
public record SuggestedWindow(Instant start, Instant end) {

  private static final long MILLIS_PER_SECOND = 1000;

  public SuggestedWindow {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException("a window from " + start + " to " + end);
    }
  }

  /**
   * Returns the window from {@code start} on, {@code widthMillis} wide. From two seconds on both
   * ends are moved inwards to whole seconds, because not every client reads fractions.
   */
  static SuggestedWindow ofMillis(Instant start, long widthMillis) {
    Instant end = start.plusMillis(widthMillis);
    if (widthMillis < 2 * MILLIS_PER_SECOND) {
      return new SuggestedWindow(start, end);
    }
    return new SuggestedWindow(
        start.plusMillis(MILLIS_PER_SECOND - 1).truncatedTo(ChronoUnit.SECONDS),
        end.truncatedTo(ChronoUnit.SECONDS));
  }
}
