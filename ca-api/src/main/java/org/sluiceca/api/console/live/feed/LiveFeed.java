package org.sluiceca.api.console.live.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.PeriodicTask;

/**
 * Reads this node about once a second while a page is open, and keeps the last ten minutes of it.
 * Its thread begins with the first look and rests when the last page was closed. Thread-safe.
 */
public final class LiveFeed implements AutoCloseable {

  /** With the task's jitter below a second, so that no figure is older. */
  private static final Duration PERIOD = Duration.ofMillis(850);

  /** A page without a stream counts as watched for so long: who refreshes it sees rates. */
  private static final Duration LOOK = Duration.ofSeconds(30);

  private static final Duration REST = Duration.ofDays(1);

  /** Rates are over five seconds: shorter ones jump, longer ones lag. */
  private static final int READINGS_MAX = 7;

  /** Between older readings and a new one nothing is known. */
  private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A reading that is younger need not be taken again. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

  private static final double POINTS_SECONDS = 600;

  /** Ten minutes, and some that are read for pages. 40 bytes each. */
  private static final int POINTS_MAX = 750;

  /** A moment in the plot. */
  public record Point(double epochSeconds, double issued, double refused, double waiting) {}

  /** A reading, and the rates until then. */
  public record Moment(Reading reading, Rates rates) {

    /** Returns what the plot shows of it. */
    public Point point() {
      return new Point(
          reading.at().toEpochMilli() / 1e3,
          rates.issued(),
          rates.refusedInAll(),
          reading.line().inFlight());
    }
  }

  private final Supplier<Reading> reader;
  private final RequesterTally tally;
  private final LongSupplier nanoTime;
  private final PeriodicTask task;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Deque<Reading> readings = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Deque<Point> points = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean isStarted;

  @GuardedBy("lock")
  private long lookedAt;

  @GuardedBy("lock")
  private @Nullable BooleanSupplier isStreaming;

  @GuardedBy("lock")
  private @Nullable Consumer<Moment> watcher;

  @GuardedBy("lock")
  private Runnable looked = () -> {};

  /** Reads by {@code reader}; {@code tally} counts while a page is open. */
  public LiveFeed(Supplier<Reading> reader, RequesterTally tally) {
    this(reader, tally, System::nanoTime);
  }

  /** The same in a test's time. */
  LiveFeed(Supplier<Reading> reader, RequesterTally tally, LongSupplier nanoTime) {
    this.reader = reader;
    this.tally = tally;
    this.nanoTime = nanoTime;
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                LiveFeed.class,
                "console-live",
                "the live page is not fed",
                Duration.ZERO,
                PERIOD,
                Duration.ZERO),
            isStopping -> step());
  }

  /**
   * Has every moment reported from now on, by the feed's thread.
   *
   * @param isWanted whether there is anybody to report it to
   */
  public void report(BooleanSupplier isWanted, Consumer<Moment> to) {
    lock.lock();
    try {
      isStreaming = isWanted;
      watcher = to;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the present moment, at most a second old, and has the feed run for a while. */
  public Moment look() {
    lock.lock();
    try {
      lookedAt = nanoTime.getAsLong();
      tally.count(true);
      Reading last = readings.peekLast();
      Moment moment = last != null && lookedAt - last.nanos() < FRESH_NANOS ? moment() : read();
      if (!isStarted) {
        isStarted = true;
        task.start();
      } else {
        task.wake();
      }
      looked.run();
      return moment;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the present moment, at most a second old, for another reader than a page: whether it is
   * watched does not change. Never waits for a database.
   */
  public Moment peek() {
    lock.lock();
    try {
      Reading last = readings.peekLast();
      boolean isFresh = last != null && nanoTime.getAsLong() - last.nanos() < FRESH_NANOS;
      return isFresh ? moment() : read();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a page of this node is open, or was loaded in the last half minute. */
  public boolean isWatched() {
    lock.lock();
    try {
      return isWatched(nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isWatched(long now) {
    boolean isStreamed = isStreaming != null && isStreaming.getAsBoolean();
    return isStreamed || (isStarted && now - lookedAt <= LOOK.toNanos());
  }

  /** Has {@code hears} called with each look of a page. Must not block. */
  public void whenLooked(Runnable hears) {
    lock.lock();
    try {
      looked = hears;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the moments of the last ten minutes that were read, oldest first. */
  public List<Point> history() {
    lock.lock();
    try {
      return List.copyOf(points);
    } finally {
      lock.unlock();
    }
  }

  /** One turn of the thread; returns when the next one is. */
  Duration step() {
    Moment moment;
    Consumer<Moment> to;
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      if (!isWatched(now)) {
        tally.count(false);
        return REST;
      }
      moment = read();
      to = watcher;
    } finally {
      lock.unlock();
    }
    if (to != null) {
      to.accept(moment);
    }
    return PERIOD;
  }

  @GuardedBy("lock")
  private Moment read() {
    Reading reading = reader.get();
    Reading last = readings.peekLast();
    if (last != null && reading.nanos() - last.nanos() > GAP_NANOS) {
      readings.clear();
    }
    readings.addLast(reading);
    if (readings.size() > READINGS_MAX) {
      readings.removeFirst();
    }
    Moment moment = moment();
    if (moment.rates().isKnown()) {
      Point newest = moment.point();
      points.addLast(newest);
      points.removeIf(point -> newest.epochSeconds() - point.epochSeconds() > POINTS_SECONDS);
      if (points.size() > POINTS_MAX) {
        points.removeFirst();
      }
    }
    return moment;
  }

  @GuardedBy("lock")
  private Moment moment() {
    List<Reading> recent = new ArrayList<>(readings);
    return new Moment(recent.getLast(), Rates.of(recent));
  }

  @Override
  public void close() {
    task.close();
  }
}
