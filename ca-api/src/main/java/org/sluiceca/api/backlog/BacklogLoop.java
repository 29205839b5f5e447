package org.sluiceca.api.backlog;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable;

/**
 * Runs a {@link BacklogPass} again and again. Owns one platform thread, because it runs for the
 * life of the node.
 */
public final class BacklogLoop implements AutoCloseable {

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  /** A batch is a transaction; what is not started here, recovery goes on with. */
  private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(BacklogLoop.class);

  private final BacklogPass pass;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  /** Makes the loop; {@link #start} starts it. */
  public BacklogLoop(BacklogPass pass) {
    this.pass = pass;
    this.thread = Thread.ofPlatform().name("backlog").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  private void run() {
    Duration pause = Duration.ZERO;
    try {
      while (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        pause = passOrRest();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The loop of an owned thread: whatever happens, there is a next time. */
  private Duration passOrRest() {
    try {
      return pass.run();
    } catch (CaUnavailable e) {
      LOG.warn("the backlog of orders waits: {}", e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("taking orders out of the backlog failed", e);
    }
    return PAUSE_AFTER_FAILURE;
  }

  /** Ends the loop after its present batch, waiting 5 s at most. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      if (!thread.join(STOP_WAIT_MAX)) {
        LOG.warn("the loop of the backlog does not end; it is left behind");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
