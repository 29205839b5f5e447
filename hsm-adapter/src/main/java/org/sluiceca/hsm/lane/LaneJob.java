package org.sluiceca.hsm.lane;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Signing;

/** A job between the request thread that waits for it and the session thread that answers it. */
public final class LaneJob {
  private final KeyRef key;
  private final byte[] tokenInput;
  private final Consumer<Signing> watcher;

  private final CountDownLatch answered = new CountDownLatch(1);

  // Both written before the latch opens, by the one thread that ends the ticket.
  private byte @Nullable [] signature;
  private @Nullable HsmException failure;

  LaneJob(KeyRef key, byte[] tokenInput, Consumer<Signing> watcher) {
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
  public Consumer<Signing> watcher() {
    return watcher;
  }

  void answer(byte[] made) {
    signature = made;
    answered.countDown();
  }

  void answer(HsmException why) {
    failure = why;
    answered.countDown();
  }

  /** Whether it was answered within this time. */
  boolean await(long nanos) throws InterruptedException {
    return answered.await(nanos, TimeUnit.NANOSECONDS);
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
