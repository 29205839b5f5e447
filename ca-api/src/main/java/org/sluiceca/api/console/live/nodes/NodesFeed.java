package org.sluiceca.api.console.live.nodes;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.platform.PeriodicTask;

/**
 * Writes this node's figures for the others while a live page of any node is open, and reads theirs
 * while one of this node is. Its thread is the only one that waits for the database here: what
 * pages show of other nodes is what it has read last. Thread-safe.
 */
public final class NodesFeed implements AutoCloseable {

  /** With the task's jitter below a second, so that no second is missing. */
  static final Duration PERIOD = Duration.ofMillis(900);

  private static final Duration REST = Duration.ofDays(1);

  /** The change watch looks once a second; of a look that is late, nothing ends. */
  private static final long ELSEWHERE_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** A node is silent that has missed three seconds, and has had time to hear of the page. */
  static final double SILENT_SECONDS = 4;

  private static final double HEARD_WITHIN_SECONDS = 6;

  /** Rows that a page has not read yet: those of the last seconds, of an hour at first. */
  private static final long LOOK_BACK_SECONDS = 15;

  private static final long HOUR_FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long HOUR_SECONDS = 3_600;

  /** Where the rows of all nodes are. */
  public interface Rows {

    /**
     * Writes this node's row of the present second, unless there is one. Blocks for a few seconds
     * at most.
     *
     * @throws org.sluiceca.core.failure.CaUnavailable if the database does not answer
     */
    void write(NodeSecond row);

    /**
     * Does the same, if there is a row; notes that a page is open, removes rows that are older than
     * an hour, and returns the newest row of each node that has one in the last {@code seconds}.
     *
     * @throws org.sluiceca.core.failure.CaUnavailable if the database does not answer
     */
    Answer exchange(Optional<NodeSecond> row, long seconds);

    /**
     * Returns the last hour by minutes, the newest first; minutes without a row are left out.
     *
     * @throws org.sluiceca.core.failure.CaUnavailable if the database does not answer
     */
    List<Minute> hour();
  }

  /** A node's newest row, and its age by the database's clock. */
  public record Row(NodeSecond second, double ageSeconds) {}

  /**
   * What the database answers.
   *
   * @param watchedSeconds since when pages have been open without a pause
   */
  public record Answer(List<Row> rows, double watchedSeconds) {}

  /**
   * A minute of all nodes.
   *
   * @param nodes how many have written
   * @param seconds how many seconds of it were written
   * @param issued certificates a second
   * @param refused requests a second
   * @param depth requests on the line, the mean
   * @param waitSeconds how long a signature waited for a token, the mean
   * @param utilization of the most used node, the mean
   */
  public record Minute(
      Instant minute,
      int nodes,
      int seconds,
      double issued,
      double refused,
      double depth,
      double waitSeconds,
      double utilization) {}

  /**
   * Another node, as it was heard last.
   *
   * @param isSilent whether it should have written since, and has not
   */
  public record Neighbour(NodeSecond second, double ageSeconds, boolean isSilent) {

    /** Returns whether its figures are of now. */
    public boolean isHeard() {
      return ageSeconds <= SILENT_SECONDS;
    }
  }

  /**
   * The other nodes.
   *
   * @param isKnown whether the database has answered since a page was opened here
   * @param unseenSeconds since the last answer, or since the page was opened
   */
  public record Neighbours(List<Neighbour> nodes, boolean isKnown, double unseenSeconds) {

    /** Returns whether the database has missed some answers. */
    public boolean isAway() {
      return unseenSeconds > SILENT_SECONDS;
    }
  }

  private record Hour(List<Minute> minutes, long atNanos) {}

  private record Seen(List<Neighbour> nodes, boolean isKnown, long atNanos) {}

  private final String node;
  private final LiveFeed feed;
  private final Rows rows;
  private final LongSupplier nanoTime;
  private final PeriodicTask task;
  private final AtomicBoolean isStarted = new AtomicBoolean(true);

  private volatile boolean isResting = true;
  private volatile long elsewhereUntil;
  private volatile @Nullable Seen seen;
  private volatile @Nullable Hour hour;

  /** Of thirty nodes the hour has 100,000 rows: it is read by one request at a time. */
  private final Semaphore hourTurn = new Semaphore(1);

  // Owned by the thread.
  private final Map<String, NodeSecond> known = new HashMap<>();
  private final Map<String, Double> writtenAt = new HashMap<>();

  /** Reports the figures of {@code node} from {@code feed}. */
  public NodesFeed(String node, LiveFeed feed, Rows rows) {
    this(node, feed, rows, System::nanoTime);
    isStarted.set(false);
  }

  /** The same in a test's time, whose steps are done in the thread's place. */
  NodesFeed(String node, LiveFeed feed, Rows rows, LongSupplier nanoTime) {
    this.node = node;
    this.feed = feed;
    this.rows = rows;
    this.nanoTime = nanoTime;
    this.elsewhereUntil = nanoTime.getAsLong();
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                NodesFeed.class,
                "console-nodes",
                "the live page shows this node alone, and others do not see it",
                Duration.ZERO,
                PERIOD,
                Duration.ZERO),
            isStopping -> step());
    feed.whenLooked(this::wake);
  }

  /** Returns what this node says of itself at a moment. */
  public NodeSecond own(LiveFeed.Moment moment) {
    return NodeSecond.of(node, moment);
  }

  /**
   * Returns the last hour by minutes, a few seconds old at most if no other request reads it just
   * now. Blocks as {@link Rows#hour} does, and fails as it does.
   */
  public List<Minute> hour() {
    Hour last = hour;
    long now = nanoTime.getAsLong();
    if (last != null && now - last.atNanos() < HOUR_FRESH_NANOS) {
      return last.minutes();
    }
    if (!hourTurn.tryAcquire()) {
      return last == null ? List.of() : last.minutes();
    }
    try {
      Hour fresh = new Hour(rows.hour(), now);
      hour = fresh;
      return fresh.minutes();
    } finally {
      hourTurn.release();
    }
  }

  /**
   * Receives once a second whether a page of any node is open, from what the node asks of the
   * database anyway. Does not block.
   *
   * @param number 0 if none is
   */
  public void watched(long number) {
    if (number != 0) {
      elsewhereUntil = nanoTime.getAsLong() + ELSEWHERE_NANOS;
      wake();
    }
  }

  private void wake() {
    if (isStarted.compareAndSet(false, true)) {
      task.start();
    } else if (isResting) {
      task.wake();
    }
  }

  /** Returns the other nodes as they were read last. Does not block. */
  public Neighbours neighbours() {
    Seen last = seen;
    return last == null
        ? new Neighbours(List.of(), false, 0)
        : new Neighbours(
            last.nodes(), last.isKnown(), (nanoTime.getAsLong() - last.atNanos()) / 1e9);
  }

  private boolean isElsewhere() {
    return nanoTime.getAsLong() - elsewhereUntil < 0;
  }

  /** One turn of the thread; returns when the next one is. */
  Duration step() {
    isResting = false;
    boolean isHere = feed.isWatched();
    if (!isHere) {
      seen = null;
      known.clear();
      writtenAt.clear();
    }
    if (!isHere && !isElsewhere()) {
      isResting = true;
      // A page that was opened since has found a thread that did not rest.
      return feed.isWatched() || isElsewhere() ? PERIOD : REST;
    }
    LiveFeed.Moment moment = feed.peek();
    Optional<NodeSecond> mine =
        moment.rates().isKnown() ? Optional.of(own(moment)) : Optional.empty();
    if (isHere) {
      exchange(mine);
    } else {
      mine.ifPresent(rows::write);
    }
    return PERIOD;
  }

  private void exchange(Optional<NodeSecond> mine) {
    Seen last = seen;
    if (last == null) {
      last = new Seen(List.of(), false, nanoTime.getAsLong());
      seen = last;
    }
    long unseen = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - last.atNanos());
    Answer answer =
        rows.exchange(
            mine,
            last.isKnown() ? Math.min(HOUR_SECONDS, LOOK_BACK_SECONDS + unseen) : HOUR_SECONDS);
    long now = nanoTime.getAsLong();
    for (Row row : answer.rows()) {
      known.put(row.second().node(), row.second());
      writtenAt.put(row.second().node(), now / 1e9 - row.ageSeconds());
    }
    writtenAt.values().removeIf(at -> now / 1e9 - at > HOUR_SECONDS);
    known.keySet().retainAll(writtenAt.keySet());
    boolean isTimeToHear = answer.watchedSeconds() > HEARD_WITHIN_SECONDS;
    seen =
        new Seen(
            known.values().stream()
                .filter(second -> !second.node().equals(node))
                .sorted(Comparator.comparing(NodeSecond::node))
                .map(second -> neighbour(second, now / 1e9, isTimeToHear))
                .toList(),
            true,
            now);
  }

  private Neighbour neighbour(NodeSecond second, double nowSeconds, boolean isTimeToHear) {
    double age = Math.max(0, nowSeconds - writtenAt.getOrDefault(second.node(), nowSeconds));
    return new Neighbour(second, age, isTimeToHear && age > SILENT_SECONDS);
  }

  @Override
  public void close() {
    task.close();
  }
}
