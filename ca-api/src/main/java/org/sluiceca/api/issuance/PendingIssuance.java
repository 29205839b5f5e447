package org.sluiceca.api.issuance;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.wait.CoarseTimer;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/** A promise that is being kept on a thread of its own. One thread at a time may wait for it. */
public final class PendingIssuance extends FutureTask<Optional<Finish>> {

  private volatile @Nullable Thread waiter;

  /** Keeps it by {@code work}, once this is run. */
  PendingIssuance(Callable<Optional<Finish>> work) {
    super(work);
  }

  /** One that is over, without an outcome. */
  static PendingIssuance givenUp() {
    PendingIssuance over = new PendingIssuance(Optional::empty);
    over.run();
    return over;
  }

  /** Waits until it is over or {@code deadline} has passed, and returns whether it is over. */
  boolean isDoneBy(Deadline deadline, Ticker ticker, CoarseTimer clock)
      throws InterruptedException {
    // Before the first look: who ends it after that look finds somebody to wake.
    waiter = Thread.currentThread();
    while (!isDone()) {
      long left = deadline.remainingNanos(ticker);
      if (left <= 0) {
        return false;
      }
      clock.park(this, System.nanoTime() + left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return true;
  }

  @Override
  protected void done() {
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }
}
