package org.sluiceca.hsm;

import java.util.List;

/**
 * What waits in one lane of a signer.
 *
 * @param depth jobs that wait
 * @param oldestAgeNanos for how long the oldest has waited, 0 when none does
 * @param workNanos what they will cost the token, one after the other
 */
public record LaneStats(Lane lane, int depth, long oldestAgeNanos, long workNanos) {

  /** The same lane in front of several groups of engines; at least one. */
  static LaneStats together(List<LaneStats> parts) {
    return new LaneStats(
        parts.getFirst().lane(),
        parts.stream().mapToInt(LaneStats::depth).sum(),
        parts.stream().mapToLong(LaneStats::oldestAgeNanos).max().orElse(0),
        parts.stream().mapToLong(LaneStats::workNanos).sum());
  }
}
