package org.sluiceca.api.platform.change;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.core.time.Ticker;

/**
 * Asks the database four times a second, in one message for all loops of the node, what has
 * changed, and wakes those that rest until then; twice a second once nothing has changed for a
 * minute. While it cannot ask, or the answers are slow, no loop rests. Owns one platform thread;
 * every method may be called by any thread.
 */
public final class ChangeWatch implements AutoCloseable {

  /** A quarter of the second in which a revocation is known: the shortest promise of its loops. */
  public static final Duration PERIOD = Duration.ofMillis(250);

  /**
   * While the deployment is idle: half of that second, which leaves the other half for the rest.
   */
  static final Duration PERIOD_IDLE = Duration.ofMillis(500);

  /** What changes once often changes again soon. */
  private static final long IDLE_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Topics that are not quick are asked about once a second: in every fourth look, or every second
   * one while idle, whose waits may be a tenth shorter, or in each one that comes later after the
   * last.
   */
  private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

  /** Where asking takes long, a fifth of the time is spent on it, as far as the bound allows. */
  private static final int PAUSES_PER_LOOK = 4;

  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  /** A look that takes longer would need a pause above the bound: the loops see sooner without. */
  private static final long SLOW_NANOS = PAUSE_MAX.toNanos() / PAUSES_PER_LOOK;

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  /** Where the numbers of the topics come from. */
  @FunctionalInterface
  public interface Source {

    /**
     * Returns the present numbers of the quick topics, or of all. Blocks for a few seconds at most.
     *
     * @throws org.sluiceca.core.failure.CaUnavailable if the database does not answer
     */
    Map<Topic, Long> read(boolean isFull);
  }

  private record Resting(Set<Topic> topics, Rest rest) {}

  private record Listener(Topic topic, LongConsumer hears) {}

  private final Source source;
  private final Ticker ticker;
  private final List<Resting> loops = new CopyOnWriteArrayList<>();
  private final List<Listener> idle = new CopyOnWriteArrayList<>();
  private final List<Listener> followers = new CopyOnWriteArrayList<>();
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              ChangeWatch.class,
              "change-watch",
              "changes are not seen; every loop looks for itself",
              Duration.ZERO,
              PERIOD,
              STOP_MAX),
          isStopping -> look());

  private volatile boolean isBlind = true;

  /** When the last look that was answered began; before the first, when the watch was made. */
  private volatile long seenNanos;

  // Owned by the thread.
  private final Map<Topic, Long> numbers = new EnumMap<>(Topic.class);
  private long fullAtNanos;
  private long changedAtNanos;

  /** Watches {@code source}; {@link #start} starts the thread. */
  public ChangeWatch(Source source, Ticker ticker) {
    this.source = source;
    this.ticker = ticker;
    this.seenNanos = ticker.nanoTime();
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  /**
   * Returns how old what it has seen is, in seconds: the time since the last look that was answered
   * began; before the first, since the watch was made. Does not block.
   */
  public double ageSeconds() {
    return (ticker.nanoTime() - seenNanos) / 1e9;
  }

  /**
   * Returns what lets a loop rest until one of {@code topics} changes. The loop's next look is its
   * first in any case.
   *
   * @param wake has the loop look now; must not block
   */
  public Rest rest(Collection<Topic> topics, Runnable wake) {
    Rest rest = new Rest(() -> isBlind, wake);
    loops.add(new Resting(EnumSet.copyOf(topics), rest));
    return rest;
  }

  /**
   * Has {@code hears} receive, after each look that found the topic's number to be 0, when that
   * look began, on the ticker's scale. Must not block.
   */
  public void whileZero(Topic topic, LongConsumer hears) {
    idle.add(new Listener(topic, hears));
  }

  /**
   * Has {@code hears} receive the topic's number with each look that asks for it. Must not block.
   */
  public void follow(Topic topic, LongConsumer hears) {
    followers.add(new Listener(topic, hears));
  }

  /**
   * Looks once and wakes the loops whose topics have changed; returns how long to wait, 1 s at
   * most. Blocks as the source does. Of the owned thread, or in its place.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable if the source cannot answer: no loop rests then
   */
  public Duration look() {
    boolean wasBlind = isBlind;
    long begin = ticker.nanoTime();
    boolean isFull = wasBlind || begin - fullAtNanos >= FULL_NANOS;
    boolean isSeen = false;
    try {
      Map<Topic, Long> read = source.read(isFull);
      seenNanos = begin;
      fullAtNanos = isFull ? begin : fullAtNanos;
      Set<Topic> changed = changed(read);
      changedAtNanos = wasBlind || !changed.isEmpty() ? begin : changedAtNanos;
      boolean isSlow = ticker.nanoTime() - begin > SLOW_NANOS;
      isBlind = isSlow || task.isStopping();
      wake(wasBlind || isSlow ? EnumSet.allOf(Topic.class) : changed);
      idle.stream()
          .filter(one -> read.getOrDefault(one.topic(), 1L) == 0)
          .forEach(one -> one.hears().accept(begin));
      followers.stream()
          .filter(one -> read.containsKey(one.topic()))
          .forEach(one -> one.hears().accept(read.getOrDefault(one.topic(), 0L)));
      isSeen = true;
    } finally {
      if (!isSeen) {
        // Loops that rest must find out for themselves, as often as they would without this.
        isBlind = true;
        wake(EnumSet.allOf(Topic.class));
      }
    }
    long pause = PAUSES_PER_LOOK * (ticker.nanoTime() - begin);
    Duration period = begin - changedAtNanos < IDLE_AFTER_NANOS ? PERIOD : PERIOD_IDLE;
    return Duration.ofNanos(Math.clamp(pause, period.toNanos(), PAUSE_MAX.toNanos()));
  }

  /** Notes the numbers; returns whose loops have to look. */
  private Set<Topic> changed(Map<Topic, Long> read) {
    Set<Topic> changed = EnumSet.noneOf(Topic.class);
    read.forEach(
        (topic, number) -> {
          boolean isNews = !number.equals(numbers.put(topic, number));
          if (isNews || (topic.isWork() && number != 0)) {
            changed.add(topic);
          }
        });
    return changed;
  }

  private void wake(Set<Topic> changed) {
    if (changed.isEmpty()) {
      return;
    }
    for (Resting loop : loops) {
      if (loop.topics().stream().anyMatch(changed::contains)) {
        loop.rest().changed();
      }
    }
  }

  /** Ends the thread after its present look, waiting 5 s at most. No loop rests from then on. */
  @Override
  public void close() {
    isBlind = true;
    task.close();
    // The look that it waited for may have seen.
    isBlind = true;
  }
}
