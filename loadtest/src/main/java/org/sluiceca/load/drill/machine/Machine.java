package org.sluiceca.load.drill.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sluiceca.load.cli.TrialException;

/**
 * A machine that QEMU emulates.
 *
 * @param node its name
 * @param process QEMU's
 * @param monitor the pipe that its monitor reads
 */
record Machine(String node, ProcessHandle process, Path monitor) {

  /** Presses the power button: the machine is to end by itself. */
  void pressPowerButton() throws IOException {
    Files.writeString(monitor, "system_powerdown\n", StandardOpenOption.WRITE);
  }

  /** Ends the process as a power cut would end the machine. */
  void kill() {
    if (!process.destroyForcibly()) {
      throw new TrialException("process " + process.pid() + " cannot be killed");
    }
  }

  /** Waits until it has ended; false if it has not within {@code limit}. */
  boolean awaitEnd(Duration limit) throws InterruptedException {
    try {
      ProcessHandle ignored = process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new TrialException("process " + process.pid() + " cannot be watched", e);
    }
  }
}
