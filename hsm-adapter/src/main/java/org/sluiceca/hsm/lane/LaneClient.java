package org.sluiceca.hsm.lane;

import java.time.Duration;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignatureClass;
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
   * Signs, blocking at most until the request's deadline; see {@link
   * org.sluiceca.hsm.HsmSigner#sign}.
   */
  public byte[] sign(SignRequest request) {
    // Digested here, so that session threads, which are few, only call the token.
    byte[] input = request.mechanism().tokenInput(request.message());
    LaneJob job = new LaneJob(request.key(), input, request.watcher());
    SignatureClass signatureClass = SignatureClass.of(request.mechanism(), request.key());
    return await(lane.enqueue(job, signatureClass, request.schedule()), request.waitStrategy());
  }

  private byte[] await(Ticket<LaneJob> ticket, WaitStrategy waitStrategy) {
    LaneJob job = ticket.job();
    long until = ticket.enqueuedNanos();
    try {
      while (!job.await(until, waitStrategy)) {
        long now = System.nanoTime();
        if (lane.isHung(callTimeoutNanos, now)) {
          onHang.run();
        }
        until =
            switch (lane.look(ticket, callTimeoutNanos, now)) {
              case Wait.Until(long nanos) -> nanos;
              // Ended under the lock a moment ago; the answer is on its way.
              case Wait.Answered() -> now + callTimeoutNanos;
              case Wait.Expired() ->
                  throw new HsmException.DeadlineExceeded("the deadline passed in the queue");
              case Wait.TimedOut(long inTokenNanos) -> {
                onZombie.run();
                throw new HsmException.SignTimedOut(Duration.ofNanos(inTokenNanos));
              }
            };
      }
      return job.result();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw lane.abandon(ticket)
          ? new HsmException.DeadlineExceeded("the caller was interrupted while queued")
          : new HsmException.SignTimedOut(
              Duration.ofNanos(System.nanoTime() - ticket.startedNanos()));
    }
  }
}
