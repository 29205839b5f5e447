package org.sluiceca.api.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets exactly one of many threads run: the one that holds the baton. It is handed over only where
 * a thread sleeps or waits, to the one whose virtual time comes first; ties are broken by the seed.
 */
public final class Baton {

  /*
   * Every task has a virtual thread of its own, so that production code blocks as it always does.
   * A task that yields takes the earliest entry of the queue, sets the time, and unparks that
   * entry's thread; no other may touch the world meanwhile. An entry whose number is not its
   * task's newest was overtaken by a wake-up and is skipped.
   */

  /**
   * Thrown in the threads of a node that died, from whatever port they are in. Not an Exception:
   * production code must not catch it.
   */
  static final class Died extends Error {
    private static final long serialVersionUID = 1L;

    Died() {
      super("the node died", null, false, false);
    }
  }

  /** More than any world needs: beyond it the tasks run in a circle. */
  private static final int EVENTS_MAX = 400_000;

  private static final Duration REAL_TIME_MAX = Duration.ofSeconds(60);

  /** Something that can die or stand still with all its tasks. */
  public static class Host {
    private final List<Task> tasks = new ArrayList<>();
    private boolean isDead;
    private long frozenUntil = Long.MIN_VALUE;

    boolean isDead() {
      return isDead;
    }

    /** Returns whether the host stands still at {@code now}. */
    boolean isFrozen(long now) {
      return frozenUntil > now;
    }

    void freezeUntil(long nanos) {
      frozenUntil = Math.max(frozenUntil, nanos);
    }
  }

  /** One thread of the simulation. */
  public static final class Task {
    private final int number;
    private final String name;
    private final @Nullable Host host;
    private final Thread thread;
    private volatile boolean running;
    private boolean started;
    private boolean over;
    private long newest;
    private boolean woken;

    private Task(int number, String name, @Nullable Host host, Runnable body) {
      this.number = number;
      this.name = name;
      this.host = host;
      this.thread = Thread.ofVirtual().unstarted(body);
    }

    boolean isOver() {
      return over;
    }
  }

  private record Entry(long time, long tie, long entry, Task task) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(time, other.time);
      if (byTime != 0) {
        return byTime;
      }
      int byTie = Long.compare(tie, other.tie);
      return byTie != 0 ? byTie : Long.compare(entry, other.entry);
    }
  }

  private final PriorityQueue<Entry> queue = new PriorityQueue<>();
  private final SplittableRandom ties;
  private final Trace trace;
  private final Consumer<String> faults;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final List<Task> all = new ArrayList<>();
  private long now;
  private long entries;
  private int tasks;
  private int events;
  private boolean stopping;
  private @Nullable Task current;

  Baton(SplittableRandom ties, Trace trace, Consumer<String> faults) {
    this.ties = ties;
    this.trace = trace;
    this.faults = faults;
  }

  /** Returns the virtual time in nanoseconds. */
  public long now() {
    return now;
  }

  /** Returns the task that runs. */
  public Task current() {
    Task task = current;
    if (task == null || !task.thread.equals(Thread.currentThread())) {
      throw new IllegalStateException("not a task of this simulation");
    }
    return task;
  }

  /** Starts a task at the present time; it dies with {@code host}, if it has one. */
  public Task spawn(String name, @Nullable Host host, Runnable body) {
    Task[] self = new Task[1];
    Task task = new Task(tasks++, name, host, () -> live(self[0], body));
    self[0] = task;
    all.add(task);
    if (host != null) {
      host.tasks.add(task);
    }
    post(task, now);
    return task;
  }

  /** Lets virtual time pass for the running task. */
  public void pass(long nanos) {
    long end = now + Math.max(0, nanos);
    do {
      await(end);
    } while (now < end);
  }

  /** Lets the running task wait until it is woken, at most until {@code time}. */
  public boolean await(long time) {
    Task task = current();
    dieWithHost(task);
    task.woken = false;
    post(task, Math.max(time, now));
    hand(task);
    dieWithHost(task);
    return task.woken;
  }

  /** Wakes a waiting task; a wake-up of one that does not wait is lost. */
  public void wake(Task task) {
    if (!task.over && task != current) {
      task.woken = true;
      post(task, now);
    }
  }

  /** Kills a host: every one of its tasks ends at once. */
  void kill(Host host) {
    host.isDead = true;
    host.frozenUntil = Long.MIN_VALUE;
    for (Task task : host.tasks) {
      if (!task.over && task != current) {
        post(task, now);
      }
    }
    host.tasks.removeIf(t -> t.over);
  }

  /** Throws if the running task's node is dead. */
  void dieIfDead() {
    dieWithHost(current());
  }

  /** Ends the world: the running task goes on to its end, no other runs again but to die. */
  void stop() {
    stopping = true;
    queue.clear();
    for (Task task : all) {
      if (!task.over && task != current) {
        post(task, now);
      }
    }
  }

  /** Runs every task until none is left or the world was stopped. Called from outside. */
  void run() throws InterruptedException {
    if (!next(null)) {
      return;
    }
    if (!ended.await(REAL_TIME_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
      faults.accept("stuck in real time, in task " + (current == null ? "none" : current.name));
    }
  }

  int events() {
    return events;
  }

  private void live(Task task, Runnable body) {
    try {
      dieWithHost(task);
      body.run();
    } catch (Died died) {
      trace.note(now, "died", task.number, 0);
    } catch (RuntimeException | Error broken) {
      faults.accept("task " + task.name + " ended by " + Trace.text(broken));
    }
    task.over = true;
    if (!next(task)) {
      ended.countDown();
    }
  }

  private void dieWithHost(Task task) {
    if (stopping || (task.host != null && task.host.isDead)) {
      throw new Died();
    }
  }

  private void post(Task task, long time) {
    queue.add(new Entry(time, ties.nextLong(), ++entries, task));
    task.newest = entries;
  }

  private void hand(Task task) {
    task.running = false;
    next(task);
    while (!task.running) {
      LockSupport.park(this);
    }
  }

  /** Passes the baton to the earliest task; returns false if there is none. */
  private boolean next(@Nullable Task from) {
    while (true) {
      Entry entry = queue.poll();
      if (entry == null) {
        return false;
      }
      Task task = entry.task;
      if (task.over || task.newest != entry.entry) {
        continue;
      }
      Host host = task.host;
      if (host != null && !stopping && host.isFrozen(entry.time)) {
        boolean woken = task.woken;
        post(task, host.frozenUntil);
        task.woken = woken;
        continue;
      }
      now = Math.max(now, entry.time);
      if (++events > EVENTS_MAX && !stopping) {
        faults.accept("the tasks run in a circle, now in " + task.name);
        stop();
        continue;
      }
      current = task;
      trace.note(now, "run", task.number, 0);
      task.running = true;
      if (!task.started) {
        task.started = true;
        task.thread.start();
      } else if (task != from) {
        LockSupport.unpark(task.thread);
      }
      return true;
    }
  }
}
