package org.sluiceca.hsm.lane;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.lane.Ticket.Phase;

/**
 * The lane as a pure machine: a bounded queue, earliest deadline first, in front of a window. It
 * has no threads, clock or lock of its own; every method is told the time, and the caller guards.
 *
 * <p>Invariants: queued ≤ capacity; in flight ≤ window; a permit is taken by {@link #take} and
 * given back by {@link #finish} or {@link #giveBack}, by nothing else, so a hung call keeps its
 * own.
 *
 * @param <J> the job, opaque here
 */
final class LaneState<J> {
  /** A lane executes a job at most twice: again only if the first try never reached C_Sign. */
  private static final int ATTEMPTS_MAX = 2;

  private final int capacity;
  private final Window window;
  private final ServiceTimes serviceTimes;

  private final TreeSet<Ticket<J>> byDeadline =
      new TreeSet<>(LaneState::earlierDeadlineThenArrival);
  private final LinkedHashSet<Ticket<J>> byArrival = new LinkedHashSet<>();
  private long nextSequence;
  private int inflight;
  private int zombies;
  private long completed;

  LaneState(int capacity, Window window, ServiceTimes serviceTimes) {
    this.capacity = capacity;
    this.window = window;
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

    /** Nothing is queued or the window is full. */
    record Nothing<J>() implements Take<J> {}
  }

  /**
   * The job with the earliest deadline, if the window has room.
   *
   * <p>A job that would probably end after its deadline is dropped. The one exception is an idle
   * token: there the job runs if its deadline has not passed, else a mean that a slow spell has
   * driven up could never come down again.
   */
  Take<J> take(long now) {
    if (byDeadline.isEmpty() || !window.admits(inflight)) {
      return new Take.Nothing<>();
    }
    Ticket<J> ticket = byDeadline.getFirst();
    remove(ticket);
    long left = ticket.deadlineNanos - now;
    long needed = inflight == 0 ? 0 : serviceTimes.expectedNanos(ticket.mechanism);
    if (left <= needed) {
      ticket.phase = Phase.DONE;
      return new Take.Drop<>(ticket);
    }
    ticket.phase = Phase.RUNNING;
    ticket.startedNanos = now;
    ticket.attempts++;
    inflight++;
    return new Take.Run<>(ticket);
  }

  /**
   * The call returned a signature after {@code serviceNanos}.
   *
   * @return whether its waiter still waits
   */
  boolean finish(Ticket<J> ticket, long serviceNanos) {
    completed++;
    boolean isAwaited = fail(ticket);
    if (isAwaited) {
      // A late result teaches nothing: it measures a fault, not the token's speed.
      serviceTimes.learn(ticket.mechanism, serviceNanos);
    }
    return isAwaited;
  }

  /**
   * The call returned without a signature.
   *
   * @return whether its waiter still waits
   */
  boolean fail(Ticket<J> ticket) {
    boolean isAwaited = ticket.phase == Phase.RUNNING;
    release(ticket);
    ticket.phase = Phase.DONE;
    return isAwaited;
  }

  /**
   * The call failed before C_Sign: the job returns to its old place in the queue.
   *
   * @param isTried whether it had reached the token; a try is counted
   * @return false when it has been tried twice, its waiter has gone or the queue is full; the
   *     ticket then still holds its permit and must be ended by {@link #fail}
   */
  boolean giveBack(Ticket<J> ticket, boolean isTried) {
    if (ticket.phase != Phase.RUNNING
        || (isTried && ticket.attempts >= ATTEMPTS_MAX)
        || byArrival.size() >= capacity) {
      return false;
    }
    release(ticket);
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

  /** Whether a thread that waits in {@link #take} would get something. */
  boolean hasWork() {
    return !byDeadline.isEmpty() && window.admits(inflight);
  }

  /** Little's law over what waits and what runs, by the mean of all work; 0 while unknown. */
  long predictedDrainNanos() {
    return serviceTimes.meanNanos() * (byArrival.size() + inflight) / window.limit();
  }

  LaneSnapshot snapshot() {
    boolean isEmpty = byArrival.isEmpty();
    return new LaneSnapshot(
        byArrival.size(),
        isEmpty ? 0 : byArrival.getFirst().enqueuedNanos,
        inflight,
        zombies,
        completed,
        serviceTimes.meanNanos());
  }

  private void release(Ticket<J> ticket) {
    if (ticket.phase != Phase.RUNNING && ticket.phase != Phase.ZOMBIE) {
      throw new IllegalStateException("a permit given back twice: " + ticket.phase);
    }
    inflight--;
    if (ticket.phase == Phase.ZOMBIE) {
      zombies--;
    }
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
