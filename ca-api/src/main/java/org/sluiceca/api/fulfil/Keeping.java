package org.sluiceca.api.fulfil;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.wait.WaitClock;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/** A promise that is being kept on a thread of its own. One thread at a time may wait for it. */
public final class Keeping extends FutureTask<Optional<Finish>> {

  private volatile @Nullable Thread waiter;

  /** Keeps it by {@code work}, once this is run. */
  Keeping(Callable<Optional<Finish>> work) {
    super(work);
  }

  /** One that is over, without an outcome. */
  static Keeping givenUp() {
    Keeping over = new Keeping(Optional::empty);
    over.run();
    return over;
  }

  /** Waits until it is over or {@code deadline} has passed, and returns whether it is over. */
  boolean isDoneBy(Deadline deadline, Ticker ticker, WaitClock clock) throws InterruptedException {
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
