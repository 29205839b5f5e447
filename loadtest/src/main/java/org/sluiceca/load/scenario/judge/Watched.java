package org.sluiceca.load.scenario.judge;

import org.sluiceca.load.judge.PhaseRecord;

/**
 * The observations of a phase other than its requests, as they are kept on disk.
 *
 * @param session of a soak that was interrupted; from 0
 * @param index the phase's number in that sitting
 * @param seen by the clock of that sitting
 * @param clockOffsetNanos what that clock is ahead of the nanoseconds since the epoch
 * @param gatlingTicks of Gatling's process
 * @param planned issuances that were due in the whole phase
 */
public record Watched(
    int session,
    int index,
    PhaseRecord seen,
    long clockOffsetNanos,
    long gatlingTicks,
    long planned) {

  /** Returns the phase's name. */
  public String phase() {
    return seen.phase().name();
  }

  /** Returns when what is measured began, in milliseconds since the epoch. */
  public long fromMillis() {
    return (seen.fromNanos() - clockOffsetNanos) / 1_000_000;
  }

  /** Returns when it ended. */
  public long untilMillis() {
    return (seen.untilNanos() - clockOffsetNanos) / 1_000_000;
  }

  /** Returns whether a look at a node was in what is measured. */
  public boolean contains(NodeLook look) {
    return look.epochMillis() >= fromMillis() && look.epochMillis() < untilMillis();
  }

  /** Returns the same with another end: a crowd's, which is over when it is served. */
  Watched until(long otherNanos) {
    PhaseRecord other =
        new PhaseRecord(
            seen.phase(),
            seen.fromNanos(),
            otherNanos,
            seen.hsms(),
            seen.used(),
            seen.loadAverage(),
            seen.nodes(),
            seen.nodesDead());
    return new Watched(session, index, other, clockOffsetNanos, gatlingTicks, planned);
  }
}
