package org.sluiceca.hsm.lane;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.WaitStrategy;

/** A job between the thread that waits for it and the session thread that answers it. */
public final class LaneJob {
  private final KeyRef key;
  private final byte[] tokenInput;
  private final Consumer<SignObservation> watcher;

  // The thread that waits now; written by that thread before it looks whether this is answered.
  private volatile Thread waiter;
  private volatile boolean isAnswered;

  // Both written before it counts as answered, by the one thread that ends the ticket.
  private byte @Nullable [] signature;
  private @Nullable HsmException failure;

  /** A job for which this thread will wait. */
  LaneJob(KeyRef key, byte[] tokenInput, Consumer<SignObservation> watcher, Thread waiter) {
    this.waiter = waiter;
    this.key = key;
    this.tokenInput = tokenInput;
    this.watcher = watcher;
  }

  /** Which key signs. */
  public KeyRef key() {
    return key;
  }

  /** What C_Sign is given; not to be changed. */
  public byte[] tokenInput() {
    return tokenInput;
  }

  /** Hears how it ended. */
  public Consumer<SignObservation> watcher() {
    return watcher;
  }

  void answer(byte[] made) {
    signature = made;
    wake();
  }

  void answer(HsmException why) {
    failure = why;
    wake();
  }

  private void wake() {
    isAnswered = true;
    LockSupport.unpark(waiter);
  }

  boolean isAnswered() {
    return isAnswered;
  }

  /** Whether it was answered by this time; one thread at a time waits. */
  boolean await(long untilNanos, WaitStrategy waitStrategy) throws InterruptedException {
    waiter = Thread.currentThread();
    while (!isAnswered) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (System.nanoTime() - untilNanos >= 0) {
        return false;
      }
      waitStrategy.park(this, untilNanos);
    }
    return true;
  }

  /** Only after {@link #await} said true. */
  byte[] result() {
    if (failure != null) {
      throw failure;
    }
    if (signature == null) {
      throw new IllegalStateException("read before it was answered");
    }
    return signature;
  }
}
