package org.sluiceca.load.scenario;

import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * How the time of a soak is cut: each segment is a phase of its own, is measured by itself, and
 * stays done when the run is interrupted.
 *
 * @param seconds of all segments together
 * @param segmentSeconds of each
 */
public record Soak(int seconds, int segmentSeconds) {

  /** Half a day in one piece, and as much again as one likes: a requester's token lasts a day. */
  private static final int SECONDS_MAX = 72_000;

  private static final int SECONDS_MIN = 60;

  /** Enough to distinguish a trend from chance. */
  private static final int SEGMENTS_WANTED = 18;

  private static final int SEGMENT_MIN = 5;
  private static final int SEGMENT_MAX = 300;

  /** Validates. */
  public Soak {
    if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
      throw new InputException(
          Text.format("a soak takes %d to %d s, not %d", SECONDS_MIN, SECONDS_MAX, seconds));
    }
    if (segmentSeconds < SEGMENT_MIN || segmentSeconds > SEGMENT_MAX) {
      throw new InputException("a segment takes 5 to 300 s, not " + segmentSeconds);
    }
  }

  /** Cuts {@code seconds}, rounded up to a whole number of segments. */
  public static Soak of(int seconds) {
    int segment = Math.clamp(seconds / SEGMENTS_WANTED, SEGMENT_MIN, SEGMENT_MAX);
    return new Soak(Math.ceilDiv(seconds, segment) * segment, segment);
  }

  /** Returns how many segments there are. */
  public int segments() {
    return seconds / segmentSeconds;
  }

  /** A short soak cannot give as much of its time to warming up as a long one. */
  double warmUp(double wanted) {
    return Math.min(wanted, Math.max(20, seconds / 4.0));
  }
}
