package org.sluiceca.hsm.lane;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.Limiter;

/**
 * The lane's machine without its shell: a simulation steps it, one thread at a time, where {@link
 * SigningLane} blocks.
 *
 * @param <J> the job, distinguished from others by identity
 */
public final class SteppedLane<J> {

  private static final SignatureClass CLASS = new SignatureClass(Mechanism.ED25519, 255);

  private final LaneState<J> state;
  private final Map<J, Ticket<J>> tickets = new HashMap<>();

  /** A lane of {@code capacity} waiting jobs and {@code window} in the token. */
  public SteppedLane(int capacity, int window) {
    this.state =
        new LaneState<>(capacity, LaneShares.EQUAL, Limiter.fixed(window, 0), new ServiceTimes());
  }

  /** Queues a job, or returns false when the queue is full. */
  public boolean offer(J job, long deadlineNanos, long now) {
    Optional<Ticket<J>> ticket = state.offer(job, CLASS, SignSchedule.by(deadlineNanos), now);
    ticket.ifPresent(t -> tickets.put(job, t));
    return ticket.isPresent();
  }

  /** Returns what to execute now; those whose deadlines cannot be met are dropped on the way. */
  public Optional<J> take(long now, Consumer<J> dropped) {
    while (true) {
      switch (state.take(now)) {
        case Take.Run<J>(Ticket<J> ticket) -> {
          return Optional.of(ticket.job);
        }
        case Take.Drop<J>(Ticket<J> ticket) -> {
          tickets.remove(ticket.job);
          dropped.accept(ticket.job);
        }
        case Take.Nothing<J> nothing -> {
          return Optional.empty();
        }
      }
    }
  }

  /** The call returned a signature; returns whether its waiter still waits. */
  public boolean finish(J job, long serviceNanos, long now) {
    return state.finish(taken(job), serviceNanos, now);
  }

  /** The call returned without a signature; returns whether its waiter still waits. */
  public boolean fail(J job, long now) {
    return state.fail(taken(job), false, now);
  }

  /** The call never reached C_Sign: queues the job again, or returns false. */
  public boolean giveBack(J job, long now) {
    return state.giveBack(ticket(job), true, now);
  }

  /** Returns until when a waiter may wait; empty says that it is to look at its answer. */
  public Optional<Long> waitUntil(J job, long callTimeoutNanos, long now, Consumer<Boolean> gone) {
    Ticket<J> ticket = tickets.get(job);
    if (ticket == null) {
      return Optional.empty();
    }
    return switch (state.await(ticket, callTimeoutNanos, now)) {
      case Wait.Until(long nanos) -> Optional.of(nanos);
      case Wait.Answered answered -> Optional.empty();
      case Wait.Expired expired -> {
        tickets.remove(job);
        gone.accept(false);
        yield Optional.empty();
      }
      case Wait.TimedOut timedOut -> {
        gone.accept(true);
        yield Optional.empty();
      }
    };
  }

  /** Returns how many jobs wait, and how many are in the token. */
  public int[] sizes() {
    LaneSnapshot snapshot = state.snapshot();
    return new int[] {snapshot.queueDepth(), snapshot.inflight()};
  }

  private Ticket<J> ticket(J job) {
    Ticket<J> ticket = tickets.get(job);
    if (ticket == null) {
      throw new IllegalStateException("a job that the lane does not know");
    }
    return ticket;
  }

  private Ticket<J> taken(J job) {
    Ticket<J> ticket = ticket(job);
    tickets.remove(job);
    return ticket;
  }
}
