package org.sluiceca.load.scenario.judge;

import java.util.List;
import java.util.Map;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.ProcessTimes;

/**
 * The observations of a phase other than its requests, as they are kept on disk.
 *
 * @param session of a soak that was interrupted; from 0
 * @param index the phase's number in that sitting
 * @param fromNanos when what is measured began, by the clock of that sitting
 * @param clockOffsetNanos what that clock is ahead of the nanoseconds since the epoch
 * @param gatlingTicks of Gatling's process
 * @param planned issuances that were due in the whole phase
 */
public record Watched(
    int session,
    int index,
    String phase,
    long fromNanos,
    long untilNanos,
    long clockOffsetNanos,
    Map<String, HsmFigures> hsms,
    ProcessTimes used,
    long gatlingTicks,
    double loadAverage,
    List<Integer> nodes,
    int nodesDead,
    long planned) {

  /** Copies. */
  public Watched {
    hsms = Map.copyOf(hsms);
    nodes = List.copyOf(nodes);
  }

  /** Returns when what is measured began, in milliseconds since the epoch. */
  public long fromMillis() {
    return (fromNanos - clockOffsetNanos) / 1_000_000;
  }

  /** Returns when it ended. */
  public long untilMillis() {
    return (untilNanos - clockOffsetNanos) / 1_000_000;
  }

  /** Returns how long what is measured took. */
  public double seconds() {
    return (untilNanos - fromNanos) / 1e9;
  }

  /** Returns the same with another end: a crowd's, which is over when it is served. */
  Watched until(long otherNanos) {
    return new Watched(
        session,
        index,
        phase,
        fromNanos,
        otherNanos,
        clockOffsetNanos,
        hsms,
        used,
        gatlingTicks,
        loadAverage,
        nodes,
        nodesDead,
        planned);
  }

  /** Returns it as what the judges of load plans know. */
  PhaseRecord record(Phase of) {
    return new PhaseRecord(
        of,
        fromNanos,
        untilNanos,
        hsms,
        used,
        loadAverage,
        nodes,
        nodesDead,
        List.of(),
        Map.of(),
        TimeoutLadder.none(),
        "",
        Map.of());
  }
}
