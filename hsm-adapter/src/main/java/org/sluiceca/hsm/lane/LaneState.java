package org.sluiceca.hsm.lane;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.lane.Ticket.Phase;
import org.sluiceca.hsm.limit.Limiter;

/**
 * The lane as a pure machine: a bounded queue, earliest deadline first, in front of a limiter. It
 * has no threads, clock or lock of its own; every method is told the time, and the caller guards.
 *
 * <p>Invariants: queued ≤ capacity; no job starts that the limiter does not admit; a permit is
 * taken by {@link #take} and given back by {@link #finish}, {@link #fail} or {@link #giveBack},
 * when the call has returned, so a hung call keeps its own.
 *
 * @param <J> the job, opaque here
 */
final class LaneState<J> {
  /** A lane executes a job at most twice: again only if the first try never reached C_Sign. */
  private static final int ATTEMPTS_MAX = 2;

  private final int capacity;
  private final Limiter limiter;
  private final ServiceTimes serviceTimes;

  private final TreeSet<Ticket<J>> byDeadline =
      new TreeSet<>(LaneState::earlierDeadlineThenArrival);
  private final LinkedHashSet<Ticket<J>> byArrival = new LinkedHashSet<>();
  private long nextSequence;
  private int zombies;
  private long completed;

  LaneState(int capacity, Limiter limiter, ServiceTimes serviceTimes) {
    this.capacity = capacity;
    this.limiter = limiter;
    this.serviceTimes = serviceTimes;
  }

  /** Queues a job; empty, and nothing changed, when the queue is full. */
  Optional<Ticket<J>> offer(J job, Mechanism mechanism, long deadlineNanos, long now) {
    if (byArrival.size() >= capacity) {
      return Optional.empty();
    }
    Ticket<J> ticket = new Ticket<>(job, mechanism, deadlineNanos, nextSequence++, now);
    byArrival.add(ticket);
    byDeadline.add(ticket);
    return Optional.of(ticket);
  }

  /** What a session thread is to do next. */
  sealed interface Take<J> {
    /** Execute this job; it now holds a permit. */
    record Run<J>(Ticket<J> ticket) implements Take<J> {}

    /** Answer that its deadline cannot be met; it holds no permit. */
    record Drop<J>(Ticket<J> ticket) implements Take<J> {}

    /** Nothing is queued or the limiter admits none. */
    record Nothing<J>() implements Take<J> {}
  }

  /**
   * The job with the earliest deadline, if the limiter has room.
   *
   * <p>A job that would probably end after its deadline is dropped. The one exception is an idle
   * token: there the job runs if its deadline has not passed, else a mean that a slow spell has
   * driven up could never come down again.
   */
  Take<J> take(long now) {
    if (byDeadline.isEmpty() || !limiter.admits(now)) {
      return new Take.Nothing<>();
    }
    Ticket<J> ticket = byDeadline.getFirst();
    remove(ticket);
    long left = ticket.deadlineNanos - now;
    long needed = limiter.inflight() == 0 ? 0 : serviceTimes.expectedNanos(ticket.mechanism);
    if (left <= needed) {
      ticket.phase = Phase.DONE;
      return new Take.Drop<>(ticket);
    }
    ticket.phase = Phase.RUNNING;
    ticket.startedNanos = now;
    ticket.attempts++;
    limiter.started();
    return new Take.Run<>(ticket);
  }

  /**
   * The call returned a signature after {@code serviceNanos}.
   *
   * @return whether its waiter still waits
   */
  boolean finish(Ticket<J> ticket, long serviceNanos, long now) {
    completed++;
    boolean isAwaited = ticket.phase == Phase.RUNNING;
    leave(ticket);
    if (isAwaited) {
      // A late result would teach the estimates a fault; the limiter must hear of it.
      serviceTimes.learn(ticket.mechanism, serviceNanos);
    }
    // Without a calibration all of it is base delay, which a fixed width does not look at.
    limiter.completed(serviceNanos / 1e9, serviceNanos / 1e9, now);
    return isAwaited;
  }

  /**
   * The call returned without a signature.
   *
   * @param isBusy whether the token had no room for it
   * @return whether its waiter still waits
   */
  boolean fail(Ticket<J> ticket, boolean isBusy, long now) {
    boolean isAwaited = ticket.phase == Phase.RUNNING;
    leave(ticket);
    if (isBusy) {
      limiter.busy(now);
    } else {
      limiter.ended(now);
    }
    return isAwaited;
  }

  /**
   * The call failed before C_Sign: the job returns to its old place in the queue.
   *
   * @param isTried whether it had reached the token; a try is counted
   * @return false when it has been tried twice, its waiter has gone or the queue is full; the
   *     ticket then still holds its permit and must be ended by {@link #fail}
   */
  boolean giveBack(Ticket<J> ticket, boolean isTried, long now) {
    if (ticket.phase != Phase.RUNNING
        || (isTried && ticket.attempts >= ATTEMPTS_MAX)
        || byArrival.size() >= capacity) {
      return false;
    }
    leave(ticket);
    limiter.ended(now);
    if (!isTried) {
      ticket.attempts--;
    }
    ticket.phase = Phase.QUEUED;
    byArrival.add(ticket);
    byDeadline.add(ticket);
    return true;
  }

  /** What a waiter that woke up is to do. */
  sealed interface Wait {
    /** Wait until then. */
    record Until(long nanos) implements Wait {}

    /** Its answer is there or about to be. */
    record Answered() implements Wait {}

    /** The deadline passed in the queue; the job has been removed and never ran. */
    record Expired() implements Wait {}

    /** The call has run for this long; it is a zombie now. */
    record TimedOut(long inTokenNanos) implements Wait {}
  }

  /** Lets a waiter go whose deadline has passed, or whose call has run for too long. */
  Wait await(Ticket<J> ticket, long callTimeoutNanos, long now) {
    return switch (ticket.phase) {
      case QUEUED -> {
        if (now - ticket.deadlineNanos < 0) {
          yield new Wait.Until(earlier(ticket.deadlineNanos, now + callTimeoutNanos));
        }
        abandon(ticket);
        yield new Wait.Expired();
      }
      case RUNNING -> {
        long end = earlier(ticket.deadlineNanos, ticket.startedNanos + callTimeoutNanos);
        if (now - end < 0) {
          yield new Wait.Until(end);
        }
        abandon(ticket);
        yield new Wait.TimedOut(now - ticket.startedNanos);
      }
      case ZOMBIE, DONE -> new Wait.Answered();
    };
  }

  /** The waiter goes: a queued job is removed, one in the token becomes a zombie. */
  void abandon(Ticket<J> ticket) {
    switch (ticket.phase) {
      case QUEUED -> {
        remove(ticket);
        ticket.phase = Phase.DONE;
      }
      case RUNNING -> {
        ticket.phase = Phase.ZOMBIE;
        zombies++;
      }
      case ZOMBIE, DONE -> {}
    }
  }

  /** Empties the queue; the caller answers each. Jobs in the token stay there. */
  List<Ticket<J>> drain() {
    List<Ticket<J>> drained = new ArrayList<>(byArrival);
    byArrival.clear();
    byDeadline.clear();
    drained.forEach(ticket -> ticket.phase = Phase.DONE);
    return drained;
  }

  /**
   * In how long {@link #take} would give something if nothing else happens: 0 for now, empty while
   * it would wait for a job to come or to end.
   */
  OptionalLong startsInNanos(long now) {
    if (byDeadline.isEmpty()) {
      return OptionalLong.empty();
    }
    if (limiter.admits(now)) {
      return OptionalLong.of(0);
    }
    return limiter.inflight() > 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, limiter.nextStartNanos(now) - now));
  }

  /** Little's law over what waits and what runs, by the mean of all work; 0 while unknown. */
  long predictedDrainNanos() {
    double jobs = (double) byArrival.size() + limiter.inflight();
    return (long) (serviceTimes.meanNanos() * jobs / limiter.width());
  }

  LaneSnapshot snapshot() {
    boolean isEmpty = byArrival.isEmpty();
    return new LaneSnapshot(
        byArrival.size(),
        isEmpty ? 0 : byArrival.getFirst().enqueuedNanos,
        limiter.inflight(),
        limiter.width(),
        zombies,
        completed,
        serviceTimes.meanNanos());
  }

  /** Out of the token; the caller gives the permit back, whichever way teaches most. */
  private void leave(Ticket<J> ticket) {
    if (ticket.phase != Phase.RUNNING && ticket.phase != Phase.ZOMBIE) {
      throw new IllegalStateException("a permit given back twice: " + ticket.phase);
    }
    if (ticket.phase == Phase.ZOMBIE) {
      zombies--;
    }
    ticket.phase = Phase.DONE;
  }

  private void remove(Ticket<J> ticket) {
    byDeadline.remove(ticket);
    byArrival.remove(ticket);
  }

  /** System.nanoTime wraps, so times are compared by their difference. */
  private static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  private static int earlierDeadlineThenArrival(Ticket<?> a, Ticket<?> b) {
    int byDeadline = Long.signum(a.deadlineNanos - b.deadlineNanos);
    return byDeadline != 0 ? byDeadline : Long.compare(a.sequence, b.sequence);
  }
}
