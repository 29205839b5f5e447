package org.sluiceca.hsm.lane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneStats;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limiter;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.queue.LaneGauge;
import org.sluiceca.hsm.settings.HsmSettings;

/**
 * The thin blocking shell around {@link LaneState}: {@link LaneClient} on one side, sessions on the
 * other. Thread-safe.
 */
public final class SigningLane {
  /*
   * Threads. Request threads (virtual, any number) queue a job under the lock and park on the job's
   * latch outside it. Session threads (platform, as many as sessions) call take, finished, failed,
   * givenBack. The thread that leads a recovery calls suspend and resume.
   *
   * Who answers. Ending a ticket (finish, fail, take's Drop, drain, await's Expired and TimedOut)
   * happens under the lock and exactly once; the thread that ends it answers the job. A waiter
   * whose time is over ends the wait itself; the session thread then finds a ZOMBIE and drops the
   * result.
   *
   * Which thread is woken. One session thread where a job may start: by the job that comes, by what
   * frees a permit, and by the thread that takes one job while another may start. A thread that has
   * finished a job wakes no other for the next: it comes back for it, or calls passOn. A second one
   * would find the job gone. Which one is woken: see LaneWaits.
   *
   * Lock. One, held for a few hundred nanoseconds, never across a native call, an observer or
   * another lock. stats reads a snapshot published after each change and takes no lock.
   */

  /** How long a session thread whose job failed stays behind others, unless a job succeeds. */
  public static final Duration SET_BACK = LaneWaits.TAKE_WAIT;

  private final int sessions;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final LaneState<LaneJob> state;

  @GuardedBy("lock")
  private final LaneWaits waits;

  /** Why nothing is accepted now. */
  @GuardedBy("lock")
  private @Nullable Supplier<HsmException> refusal;

  @GuardedBy("lock")
  private boolean closing;

  private volatile LaneSnapshot snapshot;

  private final Map<Lane, LaneGauge> gauges = new EnumMap<>(Lane.class);

  /** An empty lane. */
  public SigningLane(HsmSettings settings) {
    this(settings, LaneWaits.TAKE_WAIT, LaneWaits.LOOKOUT_WAIT);
  }

  /** One whose session threads wait for work no longer than this, and one of them than that. */
  SigningLane(HsmSettings settings, Duration takeWait, Duration lookoutWait) {
    this.sessions = settings.sessions();
    this.state =
        new LaneState<>(
            settings.queueCapacity(),
            settings.lanes(),
            Limiter.of(
                settings.window(), ThreadLocalRandom.current().nextDouble(), System.nanoTime()),
            ServiceTimes.of(settings.window()));
    this.waits = new LaneWaits(lock, state, takeWait, lookoutWait);
    this.snapshot = state.snapshot();
    for (Lane lane : Lane.values()) {
      gauges.put(lane, state.gauge(lane));
    }
  }

  /**
   * Queues a job.
   *
   * @throws HsmException when nothing is accepted, its deadline has passed, or its lane is full
   */
  Ticket<LaneJob> enqueue(LaneJob job, SignatureClass signatureClass, SignSchedule schedule) {
    lock.lock();
    try {
      if (refusal != null) {
        throw refusal.get();
      }
      long now = System.nanoTime();
      if (now - schedule.deadlineNanos() >= 0) {
        throw new HsmException.DeadlineExceeded("the deadline had passed before the request came");
      }
      Ticket<LaneJob> ticket =
          state.offer(job, signatureClass, schedule, now).orElseThrow(this::saturated);
      waits.signalIfOneStarts(now);
      publish();
      return ticket;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private HsmException saturated() {
    return new HsmException.Saturated(
        state.snapshot().queueDepth(), Duration.ofNanos(state.predictedDrainNanos()));
  }

  /**
   * Returns whether enough calls hang to declare the token hung, while the lane still accepts jobs.
   */
  boolean isHung(long callTimeoutNanos, long now) {
    lock.lock();
    try {
      return refusal == null && state.isHung(callTimeoutNanos, now);
    } finally {
      lock.unlock();
    }
  }

  /** What a waiter that woke up is to do. */
  Wait look(Ticket<LaneJob> ticket, long callTimeoutNanos, long now) {
    lock.lock();
    try {
      Wait next = state.await(ticket, callTimeoutNanos, now);
      if (!(next instanceof Wait.Until)) {
        waits.signalIfOneStarts(now);
      }
      publish();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** The waiter goes; returns whether the job never was in the token. */
  boolean abandon(Ticket<LaneJob> ticket) {
    lock.lock();
    try {
      // Its end may have come first: drained or dropped, it never was in the token.
      boolean neverStarted =
          ticket.phase == Ticket.Phase.QUEUED
              || (ticket.phase == Ticket.Phase.DONE && ticket.attempts == 0);
      state.abandon(ticket);
      waits.signalIfOneStarts(System.nanoTime());
      publish();
      return neverStarted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next job for a session thread; Nothing after a while, when the lane is suspended, resumed
   * or closed. One to be dropped has been answered.
   *
   * @param isSetBack whether session threads that wait get jobs before this one: for {@link
   *     #SET_BACK} after a job that failed, unless one has succeeded since
   */
  public Take<LaneJob> take(boolean isSetBack) throws InterruptedException {
    Take<LaneJob> next = awaitWork(isSetBack);
    if (next instanceof Take.Drop<LaneJob>(Ticket<LaneJob> ticket)) {
      ticket
          .job()
          .answer(new HsmException.DeadlineExceeded("the deadline could not be met any more"));
    }
    return next;
  }

  private Take<LaneJob> awaitWork(boolean isSetBack) throws InterruptedException {
    lock.lock();
    try {
      long now = waits.awaitStart(isSetBack);
      Take<LaneJob> next = state.take(now);
      if (!(next instanceof Take.Nothing)) {
        waits.signalIfOneStarts(now);
      }
      publish();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a job with its signature; false when no caller waits for it any more. The thread calls
   * {@link #take} or {@link #passOn} next.
   */
  public boolean finished(Ticket<LaneJob> ticket, byte[] signature, long serviceNanos) {
    boolean isAwaited;
    lock.lock();
    try {
      isAwaited = state.finish(ticket, serviceNanos, System.nanoTime());
      publish();
    } finally {
      lock.unlock();
    }
    if (isAwaited) {
      ticket.job().answer(signature);
    }
    return isAwaited;
  }

  /** Wakes another session thread for the next job: the caller does not come back for it soon. */
  public void passOn() {
    lock.lock();
    try {
      waits.signalIfOneStarts(System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** Ends a job without a signature; false when no caller waits for it any more. */
  public boolean failed(Ticket<LaneJob> ticket, HsmException why) {
    boolean isAwaited;
    lock.lock();
    try {
      isAwaited = state.fail(ticket, why instanceof HsmException.Busy, System.nanoTime());
      ended();
    } finally {
      lock.unlock();
    }
    if (isAwaited) {
      ticket.job().answer(why);
    }
    return isAwaited;
  }

  /** Puts a job back that never reached C_Sign; false when the caller must end it by failed. */
  public boolean givenBack(Ticket<LaneJob> ticket, boolean isTried) {
    lock.lock();
    try {
      // While suspended nothing may be queued: it would wait for a token that is gone.
      boolean isBack = refusal == null && state.giveBack(ticket, isTried, System.nanoTime());
      ended();
      return isBack;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses everything from now on for this reason, the queued jobs included. */
  public void suspend(Supplier<HsmException> why) {
    List<Ticket<LaneJob>> drained;
    lock.lock();
    try {
      if (closing) {
        return;
      }
      refusal = why;
      drained = state.drain();
      waits.checkSessions();
      publish();
    } finally {
      lock.unlock();
    }
    drained.forEach(ticket -> ticket.job().answer(why.get()));
  }

  /** Accepts again; one job at a time while calls of before still hang. */
  public void resume() {
    lock.lock();
    try {
      if (!closing && refusal != null) {
        refusal = null;
        state.probe();
        waits.checkSessions();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Accepts nothing more. */
  public void refuse() {
    lock.lock();
    try {
      closing = true;
      refusal = HsmException.Closed::new;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Accepts nothing more, lets queued jobs finish until the drain time is over, answers the rest.
   */
  public void close(Duration drain) {
    List<Ticket<LaneJob>> left;
    refuse();
    lock.lock();
    try {
      waits.awaitIdle(drain.toNanos());
      waits.close();
      left = state.drain();
      publish();
    } finally {
      lock.unlock();
    }
    left.forEach(ticket -> ticket.job().answer(new HsmException.Closed()));
  }

  /** See {@link org.sluiceca.hsm.signer.EngineLane#report}. */
  public NodeReport report(String node) {
    lock.lock();
    try {
      return state.report(node, sessions, System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** See {@link org.sluiceca.hsm.signer.EngineLane#lease}. */
  public void lease(Grant grant, long untilNanos) {
    lock.lock();
    try {
      long now = System.nanoTime();
      state.lease(grant, untilNanos, now);
      waits.signalAllIfOneStarts(now);
      publish();
    } finally {
      lock.unlock();
    }
  }

  /** What of the engines a job of this class takes, as far as is known; 0 if it is not. */
  public long costNanos(SignatureClass signatureClass) {
    lock.lock();
    try {
      return state.knownCostNanos(signatureClass);
    } finally {
      lock.unlock();
    }
  }

  /** The numbers after the last change; takes no lock. */
  public LaneSnapshot snapshot() {
    return snapshot;
  }

  /** What waits in each lane; takes no lock. */
  public List<LaneStats> lanes() {
    long now = System.nanoTime();
    return gauges.entrySet().stream()
        .map(
            e ->
                new LaneStats(
                    e.getKey(),
                    e.getValue().depth(),
                    e.getValue().oldestAgeNanos(now),
                    e.getValue().workNanos()))
        .toList();
  }

  @GuardedBy("lock")
  private void ended() {
    waits.signalIfOneStarts(System.nanoTime());
    publish();
  }

  @GuardedBy("lock")
  private void publish() {
    snapshot = state.snapshot();
    if (closing) {
      waits.ended();
    }
  }
}
