package org.sluiceca.core.admit;

import java.util.LinkedHashSet;
import org.sluiceca.core.pace.FadingCount;
import org.sluiceca.core.pace.OrdinaryLoad;
import org.sluiceca.core.pace.WaitingRoom;
import org.sluiceca.core.sign.Lane;

/** Those of one lane that are on the line, and those that were told to come back. */
final class LaneLine {

  /** Shorter than the time in which a lane's share changes, longer than a batch. */
  private static final long RECENT_FADING_NANOS = 1_000_000_000L;

  /**
   * Turns are given at this part of the rate that is free: at the whole of it the line would be as
   * full as chance makes it, and the late ones among those who come back would be refused again.
   */
  private static final double TURNS_PART = 0.9;

  /** Turns go on even if what comes of itself takes all, or a wrong guess would stop them. */
  private static final double TURNS_PART_MIN = 0.1;

  final Lane lane;
  final LaneTerms terms;
  final LinkedHashSet<Admitted> places = new LinkedHashSet<>();
  private final FadingCount completions;
  private final OrdinaryLoad base;
  private final WaitingRoom room;

  LaneLine(Lane lane, long nowNanos) {
    this.lane = lane;
    this.terms = LaneTerms.of(lane);
    this.completions = new FadingCount(RECENT_FADING_NANOS, nowNanos);
    this.base = new OrdinaryLoad(nowNanos);
    this.room = new WaitingRoom(nowNanos);
  }

  /** Notes a request for a place. */
  void asked(long nowNanos) {
    base.arrived(nowNanos);
  }

  /** Notes that this request was told to come back in {@code waitNanos}. */
  void refused(long nowNanos, long waitNanos) {
    base.refused(nowNanos, waitNanos);
  }

  /** Returns the seconds after which a client that is refused now has its turn. */
  double nextTurn(long nowNanos, int capacity, double perSecond) {
    return room.next(nowNanos, places.size(), capacity, turnsPerSecond(perSecond));
  }

  void completed(long nowNanos) {
    completions.add(nowNanos);
  }

  /** Returns completions a second of late. */
  double completedPerSecond(long nowNanos) {
    return completions.perSecond(nowNanos);
  }

  /** Returns how many turns a second can be given to those who come back. */
  double turnsPerSecond(double perSecond) {
    return Math.max(TURNS_PART * perSecond - base.perSecond(), TURNS_PART_MIN * perSecond);
  }
}
