package org.sluiceca.api.blocked;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable;

/**
 * Reads regularly what other nodes have recorded about names and keys that are not certified. Owns
 * one platform thread. What fails leaves what is known as it is.
 */
public final class BlockedWatch implements AutoCloseable {

  /** A few look-ups by index; what they find is refused early here from then on. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(BlockedWatch.class);

  private final List<Runnable> looks;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Watches, once started.
   *
   * @param looks each blocks for a few seconds at most, and throws {@link CaUnavailable} if it
   *     cannot read
   */
  public BlockedWatch(List<Runnable> looks) {
    this.looks = List.copyOf(looks);
  }

  /**
   * Looks once, then starts the thread.
   *
   * @throws CaUnavailable if the database does not answer: a node that does not know what is
   *     reserved must not begin to issue
   */
  public void start() {
    looks.forEach(Runnable::run);
    Thread.ofPlatform().name("blocked-watch").daemon().start(this::run);
  }

  private void run() {
    try {
      while (!stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        for (Runnable look : looks) {
          lookOrRest(look);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The loop of an owned thread: whatever happens, there is a next time. */
  private static void lookOrRest(Runnable look) {
    try {
      look.run();
    } catch (CaUnavailable e) {
      LOG.warn("reserved names and compromised keys are not read: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("reading reserved names and compromised keys failed", e);
    }
  }

  @Override
  public void close() {
    stopped.countDown();
  }
}
