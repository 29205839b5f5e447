package org.sluiceca.core.admit;

import java.util.List;
import org.sluiceca.core.sign.Lane;

/**
 * A snapshot of the line.
 *
 * @param drainPerSecond learnt completions a second, at their recent mean cost; 0 while unknown
 */
public record Occupancy(
    int inFlight, int placesMax, double drainPerSecond, List<LaneOccupancy> lanes) {

  /**
   * A snapshot of one lane.
   *
   * @param depth requests between admission and outcome
   * @param capacity how many it takes now: by places, by the time they would take at their recent
   *     mean cost, and by what the other lanes have
   * @param oldestAgeNanos since when the first of them is there; 0 if there is none
   * @param perSecond how many requests of that cost it drains a second; 0 while unknown
   * @param etaSeconds in which it drains what it has, whatever each costs; 0 while unknown
   */
  public record LaneOccupancy(
      Lane lane,
      int depth,
      int capacity,
      long oldestAgeNanos,
      double perSecond,
      double etaSeconds) {

    /** Combines several signing pools: sums, and the longest of the waiting times. */
    static LaneOccupancy together(List<LaneOccupancy> lines, int placesMax) {
      if (lines.size() == 1) {
        return lines.getFirst();
      }
      return new LaneOccupancy(
          lines.getFirst().lane,
          lines.stream().mapToInt(LaneOccupancy::depth).sum(),
          Math.min(placesMax, lines.stream().mapToInt(LaneOccupancy::capacity).sum()),
          lines.stream().mapToLong(LaneOccupancy::oldestAgeNanos).max().orElse(0),
          lines.stream().mapToDouble(LaneOccupancy::perSecond).sum(),
          lines.stream().mapToDouble(LaneOccupancy::etaSeconds).max().orElse(0));
    }
  }
}
