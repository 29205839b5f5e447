package org.sluiceca.hsm.lane;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.WaitStrategy;

/** The requests' side of a lane: they queue, wait and give up. Thread-safe. */
public final class LaneClient {
  /*
   * Time. A waiter sleeps to its deadline or for one call timeout, whichever is sooner, then asks
   * the lane again. No thread watches the others: a call cannot have started before its job was
   * queued, so the first look is never too late. A hang shows when nothing returns, so those who
   * wait look for it.
   */

  private final SigningLane lane;
  private final long callTimeoutNanos;
  private final Runnable onHang;
  private final Runnable onZombie;

  /**
   * Asks this lane.
   *
   * @param onHang run on a request's thread when the token must be declared hung
   * @param onZombie run on a request's thread when it no longer waits for its call
   */
  public LaneClient(SigningLane lane, Duration callTimeout, Runnable onHang, Runnable onZombie) {
    this.lane = lane;
    this.callTimeoutNanos = callTimeout.toNanos();
    this.onHang = onHang;
    this.onZombie = onZombie;
  }

  /**
   * Queues a signature and returns at once; see {@link org.sluiceca.hsm.RequestSigner#start}.
   *
   * @param waiter the thread that will wait for it
   */
  public StartedSignature start(SignRequest request, Thread waiter) {
    // Digested here, so that session threads, which are few, only call the token.
    byte[] input = request.mechanism().tokenInput(request.message());
    LaneJob job = new LaneJob(request.key(), input, request.watcher(), waiter);
    SignatureClass signatureClass = SignatureClass.of(request.mechanism(), request.key());
    return new Queued(
        lane.enqueue(job, signatureClass, request.schedule()), request.waitStrategy());
  }

  private final class Queued implements StartedSignature {
    private final Ticket<LaneJob> ticket;
    private final WaitStrategy waitStrategy;

    /** When to ask the lane next. */
    private long lookNanos;

    private @Nullable HsmException givenUp;

    Queued(Ticket<LaneJob> ticket, WaitStrategy waitStrategy) {
      this.ticket = ticket;
      this.waitStrategy = waitStrategy;
      this.lookNanos = ticket.enqueuedNanos();
    }

    @Override
    public boolean isUnderWay() {
      return !ticket.job().isAnswered();
    }

    @Override
    public boolean await(long untilNanos) throws InterruptedException {
      while (!ticket.job().await(earlier(lookNanos, untilNanos), waitStrategy)) {
        long now = System.nanoTime();
        if (now - lookNanos >= 0 && hasGivenUp(now)) {
          return true;
        }
        if (now - untilNanos >= 0) {
          return false;
        }
      }
      return true;
    }

    private boolean hasGivenUp(long now) {
      if (lane.isHung(callTimeoutNanos, now)) {
        onHang.run();
      }
      switch (lane.look(ticket, callTimeoutNanos, now)) {
        case Wait.Until(long nanos) -> lookNanos = nanos;
        // Ended under the lock a moment ago; the answer is on its way.
        case Wait.Answered() -> lookNanos = now + callTimeoutNanos;
        case Wait.Expired() ->
            givenUp = new HsmException.DeadlineExceeded("the deadline passed in the queue");
        case Wait.TimedOut(long inTokenNanos) -> {
          onZombie.run();
          givenUp = new HsmException.SignTimedOut(Duration.ofNanos(inTokenNanos));
        }
      }
      return givenUp != null;
    }

    @Override
    public byte[] result() {
      if (givenUp != null) {
        throw givenUp;
      }
      return ticket.job().result();
    }

    @Override
    public HsmException abandon() {
      return lane.abandon(ticket)
          ? new HsmException.DeadlineExceeded("the caller was interrupted while queued")
          : new HsmException.SignTimedOut(
              Duration.ofNanos(System.nanoTime() - ticket.startedNanos()));
    }
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
