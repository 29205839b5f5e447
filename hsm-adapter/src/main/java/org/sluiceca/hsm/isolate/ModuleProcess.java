package org.sluiceca.hsm.isolate;

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.isolate.wire.Answer;
import org.sluiceca.hsm.isolate.wire.FrameReader;

/** One life of the process that a module runs in: started, used, ended. Thread-safe. */
final class ModuleProcess {
  /**
   * 0.3 s on an idle processor, 3 s on one that ten others use; C_Initialize of a network HSM
   * connects, and may wait for a time-out of its own.
   */
  static final Duration START_MAX = Duration.ofSeconds(20);

  /** The process gives its module one second to finalise (ModuleMain), and is gone soon after. */
  private static final Duration END_MAX = Duration.ofSeconds(3);

  /** What a process needs to vanish once it has SIGKILL, unless it hangs in the kernel. */
  private static final Duration KILL_MAX = Duration.ofSeconds(5);

  /** What the JVM needs to say that it crashed: 25 ms on an idle processor. */
  private static final Duration LAST_WORDS_MAX = Duration.ofSeconds(2);

  private static final long POLL_NANOS = 2_000_000;
  private static final int OUTPUT_BYTES = 4096;

  /**
   * What is started, and for whom.
   *
   * @param module the library
   * @param label the token's label, for people
   * @param log where lines about it go
   * @param startMax how long it may take until the module is loaded
   */
  record Order(Path module, String label, Consumer<String> log, Duration startMax) {}

  private final Order order;
  private final Process process;
  private final OutputLines lines;
  private final Consumer<ModuleProcess> whenEnded;
  private final AtomicBoolean isEndTold = new AtomicBoolean();
  private volatile boolean isEndWanted;

  // Assigned once, by start, before anybody else sees this object.
  @SuppressWarnings("NullAway.Init")
  private Connection connection;

  private long generation;

  private ModuleProcess(Order order, Process process, Consumer<ModuleProcess> whenEnded) {
    this.order = order;
    this.process = process;
    this.whenEnded = whenEnded;
    this.lines = new OutputLines(line -> order.log().accept(prefix(order) + line), now());
  }

  /**
   * Starts the process and waits until it has loaded the module.
   *
   * @param earlierLives the generation after which its own begin
   * @param whenEnded called once, by any thread, when the process can be called no more
   * @param isCancelled asked now and then
   * @throws HsmException.ModuleMissing when it does not start, or the module does not load
   */
  static ModuleProcess start(
      Order order,
      long earlierLives,
      Consumer<ModuleProcess> whenEnded,
      BooleanSupplier isCancelled) {
    long deadline = now() + order.startMax().toNanos();
    try (ModuleHandshake handshake = ModuleHandshake.open()) {
      Process process = ChildCommand.of(order.module(), order.label(), handshake.folder()).start();
      ModuleProcess started = new ModuleProcess(order, process, whenEnded);
      boolean isReady = false;
      try {
        started.watchOutput();
        started.tell(handshake, earlierLives);
        started.connect(
            handshake.await(deadline, () -> !process.isAlive() || isCancelled.getAsBoolean()));
        isReady = true;
      } catch (IOException e) {
        throw started.notStarted(e);
      } finally {
        if (!isReady) {
          boolean _ = started.isKilled();
        }
      }
      started.watchEnd();
      started.note("started, process " + process.pid());
      return started;
    } catch (IOException e) {
      throw new HsmException.ModuleMissing(
          "no process can be started for the PKCS#11 module "
              + order.module()
              + ": "
              + e.getMessage());
    }
  }

  long pid() {
    return process.pid();
  }

  /** The generation that it began with. */
  long generation() {
    return generation;
  }

  Connection connection() {
    return connection;
  }

  boolean isUsable() {
    return !connection.isEnded() && process.isAlive();
  }

  /** Waits until no call is in flight; false when one still is, or the process has ended. */
  boolean awaitQuiet(Duration atMost) {
    long deadline = now() + atMost.toNanos();
    while (isUsable() && connection.inFlight() > 0 && now() - deadline < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    return isUsable() && connection.inFlight() == 0;
  }

  /**
   * SIGKILL. All calls have failed when this returns.
   *
   * @return whether the process is gone; if not, it hangs in the kernel
   */
  boolean kill() {
    isEndWanted = true;
    Process _ = process.destroyForcibly();
    connection.end();
    return isKilled();
  }

  private boolean isKilled() {
    Process _ = process.destroyForcibly();
    return isGoneWithin(KILL_MAX);
  }

  /** Lets it finalise the module and go, 3 s at most, then as {@link #kill}. */
  void close() {
    isEndWanted = true;
    connection.end();
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended.
      isEndWanted = true;
    }
    if (!isGoneWithin(END_MAX)) {
      boolean _ = kill();
    }
  }

  private boolean isGoneWithin(Duration atMost) {
    long deadline = now() + atMost.toNanos();
    boolean isInterrupted = false;
    while (process.isAlive() && now() - deadline < 0) {
      try {
        boolean _ = process.waitFor(deadline - now(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return !process.isAlive();
  }

  /**
   * Sends what the process must know and no other may: not on a command line, not in its
   * environment.
   */
  private void tell(ModuleHandshake handshake, long earlierLives) throws IOException {
    // Stays open: its end shows the process that this one has ended, for whatever reason.
    DataOutputStream out = new DataOutputStream(process.getOutputStream());
    out.writeUTF(handshake.socketPath());
    out.write(handshake.secret());
    out.writeLong(earlierLives);
    out.flush();
  }

  private void connect(ModuleHandshake.Arrival arrival) throws IOException {
    Answer ready = Answer.parse(arrival.firstAnswer());
    if (ready.status() == Answer.Status.FAILED) {
      throw new HsmException.ModuleMissing(ready.message());
    }
    FrameReader body = ready.result();
    generation = body.number();
    body.end();
    connection = new Connection(arrival.channel(), this::ended);
  }

  private HsmException notStarted(IOException why) {
    // One that hangs up is about to end, and says more by how.
    boolean _ = why instanceof EOFException && isGoneWithin(LAST_WORDS_MAX);
    String last = lines.last();
    return new HsmException.ModuleMissing(
        "the process of the PKCS#11 module "
            + order.module()
            + " did not start: "
            + why.getMessage()
            + (process.isAlive() ? "" : ", exit status " + process.exitValue())
            + (last.isEmpty() ? "" : "; it printed: " + last));
  }

  private void watchEnd() {
    var _ =
        process
            .onExit()
            .thenAccept(
                gone -> {
                  note("ended, exit status " + gone.exitValue());
                  connection.end();
                });
  }

  /** The connection is of no more use: then neither is the process. */
  private void ended() {
    if (isEndTold.compareAndSet(false, true)) {
      whenEnded.accept(this);
      if (!isEndWanted) {
        Process _ = process.destroyForcibly();
      }
    }
  }

  private void watchOutput() {
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("hsm-" + order.label() + "-output")
            .start(this::readOutput);
  }

  /** Until the pipe ends. It is always read, so that printing never blocks the module. */
  private void readOutput() {
    byte[] bytes = new byte[OUTPUT_BYTES];
    try (InputStream in = process.getInputStream()) {
      int length = in.read(bytes);
      while (length >= 0) {
        lines.accept(bytes, length, now());
        length = in.read(bytes);
      }
    } catch (IOException e) {
      // Closed with the process.
      lines.end(now());
      return;
    }
    lines.end(now());
  }

  private void note(String what) {
    order.log().accept(prefix(order) + what);
  }

  private static String prefix(Order order) {
    return "module of token " + order.label() + ": ";
  }

  private static long now() {
    return System.nanoTime();
  }
}
