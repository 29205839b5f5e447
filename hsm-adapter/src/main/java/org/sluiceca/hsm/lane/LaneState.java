package org.sluiceca.hsm.lane;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.lane.Ticket.Phase;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limiter;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.queue.FairQueue;
import org.sluiceca.hsm.queue.LaneGauge;

/**
 * The path to a token as a pure state machine: a bounded queue that is fair to lanes and flows, in
 * front of a limiter. It has no threads, clock or lock of its own; the caller passes the time and
 * guards it.
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

  /** What is left to do when the token has answered, before anybody has the certificate. */
  private static final long ANSWER_MARGIN_NANOS = 100_000_000L;

  private final FairQueue<Ticket<J>> queue;
  private final Limiter limiter;
  private final ServiceTimes serviceTimes;
  private final HungCalls<J> calls = new HungCalls<>();

  private long nextSequence;
  private long completed;
  private long displaced;

  LaneState(int capacity, LaneShares shares, Limiter limiter, ServiceTimes serviceTimes) {
    this.queue = new FairQueue<>(capacity, shares);
    this.limiter = limiter;
    this.serviceTimes = serviceTimes;
  }

  /** Queues a job; empty, and nothing changed, when its lane has no room. */
  Optional<Ticket<J>> offer(J job, SignatureClass signatureClass, SignSchedule schedule, long now) {
    if (!queue.hasRoom(schedule.lane())) {
      return Optional.empty();
    }
    long cost = serviceTimes.costNanos(signatureClass);
    long stay = serviceTimes.stayNanos(signatureClass);
    Ticket<J> ticket =
        new Ticket<>(
            job, signatureClass, schedule, new Ticket.Arrival(cost, stay, nextSequence++, now));
    queue.add(ticket);
    return Optional.of(ticket);
  }

  /**
   * Takes the job that is next, if the limiter has room.
   *
   * <p>A job that would probably end after its deadline is dropped. The one exception is an idle
   * token: there the job runs if its deadline has not passed, otherwise a mean that a slow spell
   * has driven up could never come down again. An interactive job that would end too late for the
   * waiting client is displaced, and goes on in the bulk lane.
   */
  Take<J> take(long now) {
    if (queue.size() == 0 || !admits(now)) {
      return new Take.Nothing<>();
    }
    Ticket<J> ticket = next(now);
    if (ticket.deadlineNanos() - now <= neededNanos(ticket)) {
      queue.remove(ticket);
      ticket.phase = Phase.DONE;
      return new Take.Drop<>(ticket);
    }
    queue.served(ticket);
    ticket.started(now);
    calls.started(ticket);
    limiter.started();
    return new Take.Run<>(ticket);
  }

  /** Whose turn it is after all have been displaced for whom it is too late. */
  private Ticket<J> next(long now) {
    Ticket<J> ticket = queue.first(now).orElseThrow();
    while (ticket.lane() == Lane.INTERACTIVE
        && ticket.schedule().answerByNanos() - now <= neededNanos(ticket) + ANSWER_MARGIN_NANOS
        && ticket.schedule().answerByNanos() - ticket.deadlineNanos() < 0) {
      queue.displace(ticket);
      displaced++;
      ticket = queue.first(now).orElseThrow();
    }
    return ticket;
  }

  private long neededNanos(Ticket<J> ticket) {
    return limiter.inflight() == 0 ? 0 : serviceTimes.expectedNanos(ticket.signatureClass);
  }

  /**
   * The call returned a signature after {@code serviceNanos}.
   *
   * @return whether its waiter still waits
   */
  boolean finish(Ticket<J> ticket, long serviceNanos, long now) {
    completed++;
    boolean isAwaited = ticket.phase == Phase.RUNNING;
    if (!leave(ticket)) {
      return false;
    }
    if (calls.isProbing()) {
      for (int permits = calls.writeOff(limiter.width()); permits > 0; permits--) {
        limiter.ended(now);
      }
    }
    if (isAwaited) {
      // A late result would teach the estimates a fault; the limiter must hear of it.
      serviceTimes.learn(ticket.signatureClass, serviceNanos);
    }
    double seconds = serviceNanos / 1e9;
    // Of a class that was not calibrated all is base delay: it teaches a steered width nothing of
    // its wait. A fixed width does not look at it.
    limiter.completed(
        seconds, serviceTimes.baseSeconds(ticket.signatureClass).orElse(seconds), now);
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
    if (!leave(ticket)) {
      return false;
    }
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
        || !queue.hasRoom(ticket.lane())) {
      return false;
    }
    if (leave(ticket)) {
      limiter.ended(now);
    }
    if (!isTried) {
      ticket.attempts--;
    }
    ticket.phase = Phase.QUEUED;
    queue.add(ticket);
    return true;
  }

  /** Lets a waiter go whose deadline has passed, or whose call has run for too long. */
  Wait await(Ticket<J> ticket, long callTimeoutNanos, long now) {
    Wait next = ticket.await(callTimeoutNanos, now);
    if (next instanceof Wait.Expired || next instanceof Wait.TimedOut) {
      abandon(ticket);
    }
    return next;
  }

  /** The waiter goes: a queued job is removed, one in the token becomes a zombie. */
  void abandon(Ticket<J> ticket) {
    switch (ticket.phase) {
      case QUEUED -> {
        queue.remove(ticket);
        ticket.phase = Phase.DONE;
      }
      case RUNNING -> {
        ticket.phase = Phase.ZOMBIE;
        calls.abandoned();
      }
      case ZOMBIE, DONE -> {}
    }
  }

  /** Empties the queue; the caller answers each. Jobs in the token stay there. */
  List<Ticket<J>> drain() {
    List<Ticket<J>> drained = queue.drain();
    drained.forEach(ticket -> ticket.phase = Phase.DONE);
    return drained;
  }

  /**
   * In how long {@link #take} would give something if nothing else happens: 0 for now, empty while
   * it would wait for a job to come or to end.
   */
  OptionalLong startsInNanos(long now) {
    if (queue.size() == 0) {
      return OptionalLong.empty();
    }
    if (admits(now)) {
      return OptionalLong.of(0);
    }
    return limiter.inflight() > 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, limiter.nextStartNanos(now) - now));
  }

  private boolean admits(long now) {
    return calls.isProbing() ? calls.areAllZombies() : limiter.admits(now);
  }

  /** Returns whether enough calls have exceeded the timeout to declare the token hung. */
  boolean isHung(long callTimeoutNanos, long now) {
    return calls.isHung(limiter.width(), callTimeoutNanos, now);
  }

  /**
   * Probes after a hang: one call at a time, alongside those that hang, until one brings a
   * signature.
   */
  void probe() {
    calls.probe();
  }

  /** Whether anybody waits, for a turn or for the token. */
  boolean isAwaited() {
    return queue.size() > 0 || !calls.areAllZombies();
  }

  /** Little's law over what waits and what runs, by the mean of all work; 0 while unknown. */
  long predictedDrainNanos() {
    double jobs = (double) queue.size() + limiter.inflight();
    return (long) (serviceTimes.meanNanos() * jobs / limiter.width());
  }

  /** What of the engines a job of this class takes; 0 if neither measured nor seen. */
  long knownCostNanos(SignatureClass signatureClass) {
    return serviceTimes.knownCostNanos(signatureClass);
  }

  /** What to tell the leader of the token's nodes; at most {@code sessions} can be in flight. */
  NodeReport report(String node, int sessions, long now) {
    int ready = Math.min(queue.size(), Math.max(0, sessions - limiter.inflight()));
    return limiter.report(node, ready, now);
  }

  /** Uses a lease until then, unless it is over. */
  void lease(Grant grant, long untilNanos, long now) {
    limiter.lease(grant, untilNanos, now);
  }

  LaneSnapshot snapshot() {
    return new LaneSnapshot(
        queue.size(),
        limiter.inflight(),
        limiter.width(),
        calls.zombies(),
        completed,
        displaced,
        serviceTimes.meanNanos());
  }

  /** What waits in a lane, to be read at any time by anybody. */
  LaneGauge gauge(Lane lane) {
    return queue.gauge(lane);
  }

  /**
   * Out of the token.
   *
   * @return whether it still held its permit, which the caller then gives back, whichever way
   *     teaches most
   */
  private boolean leave(Ticket<J> ticket) {
    if (ticket.phase != Phase.RUNNING && ticket.phase != Phase.ZOMBIE) {
      throw new IllegalStateException("a permit given back twice: " + ticket.phase);
    }
    boolean isPermitHeld = calls.returned(ticket);
    ticket.phase = Phase.DONE;
    return isPermitHeld;
  }
}
