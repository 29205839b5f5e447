package org.sluiceca.hsm;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A snapshot of one signer, read without a lock: each number is right, together they may be a few
 * microseconds apart.
 *
 * @param state of a token with several groups of engines the worst of theirs
 * @param isUsable whether signatures can be had, of some engines at least
 * @param queueDepth jobs waiting for a session
 * @param queueCapacity bound of the queue
 * @param oldestAgeNanos age of the job that has waited longest, 0 when none waits
 * @param lanes what waits in each lane, in the order of {@link Lane}
 * @param inflight jobs handed to the token, zombies included
 * @param inflightLimit the window: bound of {@code inflight}, in fractions of a job
 * @param zombieCalls calls that still run in the token although their waiter has gone
 * @param sessions sessions open at the token
 * @param completed signatures made since the start, late ones included
 * @param displaced jobs that no client waits for any more: moved from the interactive to the bulk
 *     lane
 * @param meanServiceNanos moving average of C_SignInit and C_Sign, 0 before the first
 * @param reinitialisations how often the PKCS#11 module was initialised again to find its token
 */
public record HsmStats(
    HsmState state,
    boolean isUsable,
    int queueDepth,
    int queueCapacity,
    long oldestAgeNanos,
    List<LaneStats> lanes,
    int inflight,
    double inflightLimit,
    int zombieCalls,
    int sessions,
    long completed,
    long displaced,
    long meanServiceNanos,
    long reinitialisations) {

  /**
   * What a token is whose groups of engines stand so: sums, but for what is oldest, and the worst
   * of their states.
   */
  public static HsmStats together(List<HsmStats> groups) {
    if (groups.size() == 1) {
      return groups.getFirst();
    }
    return new HsmStats(
        worst(groups.stream().map(HsmStats::state).toList()),
        groups.stream().anyMatch(HsmStats::isUsable),
        groups.stream().mapToInt(HsmStats::queueDepth).sum(),
        groups.stream().mapToInt(HsmStats::queueCapacity).sum(),
        groups.stream().mapToLong(HsmStats::oldestAgeNanos).max().orElse(0),
        Arrays.stream(Lane.values())
            .map(lane -> LaneStats.together(groups.stream().map(g -> g.lane(lane)).toList()))
            .toList(),
        groups.stream().mapToInt(HsmStats::inflight).sum(),
        groups.stream().mapToDouble(HsmStats::inflightLimit).sum(),
        groups.stream().mapToInt(HsmStats::zombieCalls).sum(),
        groups.stream().mapToInt(HsmStats::sessions).sum(),
        groups.stream().mapToLong(HsmStats::completed).sum(),
        groups.stream().mapToLong(HsmStats::displaced).sum(),
        meanServiceNanos(groups),
        groups.stream().mapToLong(HsmStats::reinitialisations).sum());
  }

  private static HsmState worst(List<HsmState> states) {
    return Stream.of(HsmState.PIN_REFUSED, HsmState.TOKEN_LOST, HsmState.RECOVERING, HsmState.READY)
        .filter(states::contains)
        .findFirst()
        .orElse(HsmState.CLOSED);
  }

  /** Such that the sum of the windows makes the sum of the rates that are known. */
  private static long meanServiceNanos(List<HsmStats> groups) {
    double jobs = groups.stream().mapToDouble(HsmStats::inflightLimit).sum();
    double rate =
        groups.stream()
            .filter(g -> g.meanServiceNanos() > 0)
            .mapToDouble(g -> g.inflightLimit() / g.meanServiceNanos())
            .sum();
    return rate == 0 ? 0 : Math.round(jobs / rate);
  }

  /** What waits in {@code lane}. */
  public LaneStats lane(Lane lane) {
    return lanes.stream().filter(l -> l.lane() == lane).findFirst().orElseThrow();
  }
}
