package org.sluiceca.api.issuance;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable;

/**
 * Finishes or gives up the intents that their nodes let lie: a {@link RecoveryPass} at start and
 * then every few seconds, on every node. Owns one platform thread, because it runs for the life of
 * the node.
 */
public final class RecoveryLoop implements AutoCloseable {

  private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(RecoveryLoop.class);

  private final RecoveryPass pass;
  private final RandomGenerator random;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  /** Makes the loop; {@link #start} starts it. */
  public RecoveryLoop(RecoveryPass pass, RandomGenerator random) {
    this.pass = pass;
    this.random = random;
    this.thread = Thread.ofPlatform().name("recovery").daemon().unstarted(this::run);
  }

  /** Starts the loop. */
  public void start() {
    thread.start();
  }

  private void run() {
    boolean running = true;
    while (running) {
      try {
        pass.run(() -> stopped.getCount() == 0);
      } catch (CaUnavailable e) {
        LOG.warn("recovery waits: {}", e.getMessage());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) { // The loop of an owned thread: it must outlive any bug.
        LOG.error("recovery pass failed", e);
      }
      running = !isStoppedWithin(RecoveryPass.pause(random));
    }
  }

  private boolean isStoppedWithin(Duration pause) {
    try {
      return stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Ends the loop after its present batch, waiting 5 s at most. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      if (!thread.join(STOP_WAIT_MAX)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
