package org.sluiceca.hsm.lane;

import java.util.LinkedHashSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The calls in the token, and what follows when they do not return: the token is taken for hung,
 * then probed by one call at a time, and once a probe has come back what still hangs is written
 * off. Pure; part of {@link LaneState}.
 */
final class HungCalls<J> {

  /**
   * When this many calls hang, or half of the window if that is more, the token is declared hung.
   */
  private static final int HUNG_MIN = 2;

  private static final double HUNG_PART = 0.5;

  /** The longest in the token first. */
  private final LinkedHashSet<Ticket<J>> running = new LinkedHashSet<>();

  private boolean isProbing;
  private int zombies;

  /** The newest call that was started to probe, while it runs. */
  private @Nullable Ticket<J> probe;

  private int writtenOff;

  void started(Ticket<J> ticket) {
    running.add(ticket);
    probe = isProbing ? ticket : probe;
  }

  /** Its waiter has gone. */
  void abandoned() {
    zombies++;
  }

  /** It has returned; returns whether it still held its permit. */
  boolean returned(Ticket<J> ticket) {
    running.remove(ticket);
    probe = Objects.equals(probe, ticket) ? null : probe;
    zombies -= ticket.phase == Ticket.Phase.ZOMBIE ? 1 : 0;
    writtenOff -= ticket.isWrittenOff ? 1 : 0;
    return !ticket.isWrittenOff;
  }

  /** Returns the number of calls that no caller waits for any more. */
  int zombies() {
    return zombies;
  }

  boolean isProbing() {
    return isProbing;
  }

  /** Returns whether no caller waits for any call that is in the token. */
  boolean areAllZombies() {
    return running.size() == zombies;
  }

  /**
   * Returns whether enough calls have been in the token for longer than {@code callTimeoutNanos} to
   * declare it hung; while probing, whether the probe is one of them.
   */
  boolean isHung(double width, long callTimeoutNanos, long now) {
    if (isProbing) {
      return probe != null && now - probe.startedNanos >= callTimeoutNanos;
    }
    int hung = 0;
    for (Ticket<J> ticket : running) {
      if (now - ticket.startedNanos < callTimeoutNanos) {
        break;
      }
      // What was written off has been answered for: the token signs in spite of it.
      hung += ticket.isWrittenOff ? 0 : 1;
    }
    double half = Math.max(HUNG_MIN, HUNG_PART * width);
    return hung > 0 && hung >= Math.min(half, Math.max(1, Math.floor(width)));
  }

  /** Begins to probe, if anything of before is still in the token. */
  void probe() {
    isProbing = !running.isEmpty();
    probe = null;
  }

  /**
   * A probe came back: the token signs although calls hang, and a window without their permits
   * would stay narrower permanently. At most as many are written off as the window is wide, so that
   * at worst twice the window is in the token.
   *
   * @return how many permits come back
   */
  int writeOff(double width) {
    isProbing = false;
    int before = writtenOff;
    for (Ticket<J> ticket : running) {
      if (writtenOff < Math.ceil(width)
          && ticket.phase == Ticket.Phase.ZOMBIE
          && !ticket.isWrittenOff) {
        ticket.isWrittenOff = true;
        writtenOff++;
      }
    }
    return writtenOff - before;
  }
}
