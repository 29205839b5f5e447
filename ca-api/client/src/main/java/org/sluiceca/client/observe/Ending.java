package org.sluiceca.client.observe;

import java.time.Duration;
import org.sluiceca.client.output.Failure;

/**
 * While this is open, Ctrl-C (SIGINT) and SIGTERM end the process with exit code 0: that is how a
 * command without an end is ended.
 */
final class Ending implements AutoCloseable {
  private final Thread hook = new Thread(() -> Runtime.getRuntime().halt(0), "ending");

  Ending() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Waits that long. */
  void await(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of("interrupted");
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: the hook does its work.
      return;
    }
  }
}
