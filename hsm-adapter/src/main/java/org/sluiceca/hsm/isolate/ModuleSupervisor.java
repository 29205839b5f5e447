package org.sluiceca.hsm.isolate;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.isolate.Connection.LostException;
import org.sluiceca.hsm.isolate.Connection.NotSentException;
import org.sluiceca.hsm.isolate.wire.FrameReader;
import org.sluiceca.hsm.isolate.wire.FrameWriter;
import org.sluiceca.hsm.isolate.wire.Operation;
import org.sluiceca.hsm.pkcs11.CryptokiException;

/** The processes of one module, one after another and never two at once. Thread-safe. */
final class ModuleSupervisor implements AutoCloseable {
  /*
   * Generations grow when a process ends, when one starts and when a module is initialised again in
   * its process; none is used twice. A new process receives the generation after which its own
   * begin.
   *
   * Locks. lifecycle, while a process starts or ends (30 s at most); no caller of the module waits
   * for it.
   */

  /** Long enough for signatures under way to return; a call that takes longer may be hung. */
  private static final Duration QUIET_WAIT = Duration.ofMillis(500);

  /** C_Finalize and C_Initialize with a network between them; else the process is replaced. */
  private static final Duration RENEW_MAX = Duration.ofSeconds(10);

  private final ModuleProcess.Order order;
  private final ReentrantLock lifecycle = new ReentrantLock();

  /** Guarded by the lifecycle lock. */
  private final StartInterval interval = new StartInterval();

  private final AtomicLong generation = new AtomicLong();
  private volatile boolean closed;

  /** Written under the lifecycle lock, but for the first. */
  private volatile ModuleProcess process;

  /** Starts the first process. */
  ModuleSupervisor(ModuleProcess.Order order) {
    this.order = order;
    this.process = start();
  }

  ModuleProcess process() {
    return process;
  }

  long generation() {
    return generation.get();
  }

  /**
   * A new life of the module. A process that works and is not old is kept and its module
   * initialised again, since a token that is gone for hours is asked for every few seconds; any
   * other is killed and replaced.
   *
   * @throws HsmException when there is no new process, or not yet
   */
  void renew() {
    lifecycle.lock();
    try {
      if (closed) {
        throw new HsmException.Closed();
      }
      ModuleProcess old = process;
      boolean isQuiet = old.awaitQuiet(QUIET_WAIT);
      if (isQuiet && interval.isYoung(System.nanoTime()) && isRenewedInPlace(old)) {
        return;
      }
      replace(old);
    } finally {
      lifecycle.unlock();
    }
  }

  private void replace(ModuleProcess old) {
    if (!old.kill()) {
      throw new HsmException.TokenLost(
          "process " + old.pid() + " of " + order.module() + " hangs in the kernel", false);
    }
    Duration pause = interval.pause(System.nanoTime());
    if (pause.isPositive()) {
      throw new HsmException.TokenLost(
          String.format(
              Locale.ROOT,
              "the process of %s was replaced %d times within %d s each; the next start is in %d ms",
              order.module(),
              interval.shortLives(),
              StartInterval.LIFE_MIN.toSeconds(),
              pause.toMillis()),
          false);
    }
    process = start();
  }

  private ModuleProcess start() {
    interval.started(System.nanoTime());
    ModuleProcess started = ModuleProcess.start(order, generation.get(), this::ended, () -> closed);
    long _ = generation.accumulateAndGet(started.generation(), Math::max);
    return started;
  }

  /** Its sessions are dead. Of a process that has been replaced that is known already. */
  private void ended(ModuleProcess which) {
    if (which == process) {
      long _ = generation.incrementAndGet();
    }
  }

  /** On a thread of its own, since the module may hang in it. */
  private boolean isRenewedInPlace(ModuleProcess current) {
    AtomicBoolean isRenewed = new AtomicBoolean();
    Thread caller =
        Thread.ofPlatform()
            .daemon()
            .name("hsm-" + order.label() + "-renew")
            .start(() -> isRenewed.set(reinitialise(current)));
    try {
      boolean _ = caller.join(RENEW_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return isRenewed.get();
  }

  private boolean reinitialise(ModuleProcess current) {
    Connection connection = current.connection();
    long number = connection.nextNumber();
    try {
      FrameReader answer =
          connection.call(number, FrameWriter.request(Operation.REINITIALISE, number)).result();
      boolean isFresh = answer.bool();
      long next = answer.number();
      answer.end();
      long _ = generation.accumulateAndGet(next, Math::max);
      return isFresh;
    } catch (NotSentException
        | LostException
        | IOException
        | CryptokiException
        | IllegalStateException e) {
      // Whatever it was: a fresh process is the next remedy.
      return false;
    }
  }

  /** Ends the process: gracefully for 3 s, then by SIGKILL. A start under way is given up. */
  @Override
  public void close() {
    closed = true;
    lifecycle.lock();
    try {
      process.close();
    } finally {
      lifecycle.unlock();
    }
  }
}
