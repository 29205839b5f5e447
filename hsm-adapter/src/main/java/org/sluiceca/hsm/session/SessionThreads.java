package org.sluiceca.hsm.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads of a token's sessions: as many as there are sessions, and while the token is lost one
 * more for each that hangs in it, at most as many again. Thread-safe.
 */
final class SessionThreads {
  private final String name;
  private final int size;
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final AtomicInteger started = new AtomicInteger();

  /** Threads that serve the lane or hang in the token. */
  private final AtomicInteger alive = new AtomicInteger();

  /** Starts without threads; at most twice {@code size} threads. */
  SessionThreads(String name, int size) {
    this.name = name;
    this.size = size;
  }

  /** One more thread. */
  void add(Runnable body) {
    alive.incrementAndGet();
    run(body);
  }

  /** One more thread if fewer than {@code size} do not hang; returns whether. */
  boolean standIn(int hung, Supplier<? extends Runnable> body) {
    int now = alive.get();
    while (now < size + Math.min(hung, size)) {
      if (alive.compareAndSet(now, now + 1)) {
        run(body.get());
        return true;
      }
      now = alive.get();
    }
    return false;
  }

  /** Whether the calling thread may go, because hung ones that it stood in for have come back. */
  boolean retire(int hung) {
    int now = alive.get();
    while (now - hung > size) {
      if (alive.compareAndSet(now, now - 1)) {
        threads.remove(Thread.currentThread());
        return true;
      }
      now = alive.get();
    }
    return false;
  }

  private void run(Runnable body) {
    // Daemon: a call that never returns must not keep the process from ending.
    threads.add(
        Thread.ofPlatform().daemon().name(name + "-" + started.getAndIncrement()).start(body));
  }

  /** Waits for their end, at most so long for all together. */
  void join(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    try {
      for (Thread thread : threads) {
        thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
