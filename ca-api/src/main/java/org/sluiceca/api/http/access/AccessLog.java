package org.sluiceca.api.http.access;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.time.Ticker;

/**
 * Writes one line a request. Thread-safe; a request never waits for it: lines beyond the configured
 * rate, or beyond what a slow disk takes, are dropped and counted.
 */
public final class AccessLog implements AutoCloseable {
  /*
   * Requests offer lines to a bounded queue; one platform thread takes them out and writes them by
   * the logger, which may block on the disk. It rests after the lines that it found: a thread that
   * waited for each line would have to be woken by each request, which costs more than the line.
   * Failed requests have an allowance of their own, so that a busy node does not lose the lines that
   * are looked for most.
   */

  /** Some 400 octets each, 2 MB at most. */
  static final int QUEUE_MAX = 4_096;

  /** Why a line was dropped: the values of a metric's tag. */
  public enum Dropped {
    /** The lines of this second are used up. */
    RATE,
    /** The queue is full: the disk, or the reader of standard output, is slow. */
    QUEUE;

    /** Returns the value of the tag. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

  /** The status from which a request has failed. */
  private static final int FAILED = 400;

  /** After few lines: a node with 20 requests a second then writes two lines each time it wakes. */
  static final Duration REST = Duration.ofMillis(100);

  /** After many lines, or if more may be allowed than the queue holds during {@link #REST}. */
  static final Duration BUSY_REST = Duration.ofMillis(10);

  /** The most lines since the last rest that count as few. */
  static final int FEW = 100;

  /**
   * The most lines of a second, of requests answered and of failed ones each, for which the queue
   * holds what comes during {@link #REST}: two seconds' allowances of both, if a second begins in
   * it.
   */
  private static final int RESTED_MAX = QUEUE_MAX / 4;

  /** For what is queued when a node ends. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

  private final AccessLogSettings settings;
  private final Consumer<AccessLine> writer;
  private final RateAllowance answered;
  private final RateAllowance failed;
  private final BlockingQueue<AccessLine> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
  private final AtomicLong written = new AtomicLong();
  private final Map<Dropped, AtomicLong> dropped = new EnumMap<>(Dropped.class);
  private final Thread thread;

  /** Writes by the logger of this class; {@link #start} starts the thread. */
  public AccessLog(AccessLogSettings settings, Ticker ticker) {
    this(settings, ticker, AccessLog::log);
  }

  AccessLog(AccessLogSettings settings, Ticker ticker, Consumer<AccessLine> writer) {
    this.settings = settings;
    this.writer = writer;
    this.answered = new RateAllowance(settings.linesPerSecond(), ticker);
    this.failed = new RateAllowance(settings.linesPerSecond(), ticker);
    for (Dropped reason : Dropped.values()) {
      dropped.put(reason, new AtomicLong());
    }
    this.thread = Thread.ofPlatform().name("access-log").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Whether any request has a line. */
  boolean isOn() {
    return settings.lines() != AccessLogSettings.Lines.NONE;
  }

  /** Whether lines have the client's address. */
  boolean hasAddress() {
    return settings.clientAddress();
  }

  /**
   * Adds the line of a request, which is made only if it is to be written: a flood costs no more
   * than counting. Does not wait.
   *
   * @param status what the request was answered
   */
  void add(int status, Supplier<AccessLine> line) {
    boolean isFailure = status >= FAILED;
    boolean isWanted =
        switch (settings.lines()) {
          case ALL -> true;
          case FAILURES -> isFailure;
          case NONE -> false;
        };
    if (!isWanted) {
      return;
    }
    if (!(isFailure ? failed : answered).take()) {
      count(Dropped.RATE).incrementAndGet();
    } else if (!queue.offer(line.get())) {
      count(Dropped.QUEUE).incrementAndGet();
    }
  }

  private AtomicLong count(Dropped reason) {
    AtomicLong count = dropped.get(reason);
    if (count == null) {
      throw new IllegalStateException("every reason has its count");
    }
    return count;
  }

  /** Returns how many lines were written. */
  public long written() {
    return written.get();
  }

  /** Returns how many lines were dropped for this reason. */
  public long dropped(Dropped reason) {
    return count(reason).get();
  }

  private void run() {
    try {
      writeUntilInterrupted();
      for (AccessLine line = queue.poll(); line != null; line = queue.poll()) {
        write(line);
      }
    } catch (RuntimeException e) {
      LOG.error("the access log of this node ends; restart the node to have it again", e);
    }
  }

  private void writeUntilInterrupted() {
    try {
      while (true) {
        int lines = 0;
        for (AccessLine line = queue.take(); line != null; line = queue.poll()) {
          write(line);
          lines++;
        }
        Thread.sleep(rest(lines, settings.linesPerSecond()));
      }
    } catch (InterruptedException e) {
      // The node ends: the lines that are left are written without waiting for more.
    }
  }

  /** Returns how long the writer rests after {@code lines} since its last rest. */
  static Duration rest(int lines, int linesPerSecond) {
    return lines <= FEW && linesPerSecond <= RESTED_MAX ? REST : BUSY_REST;
  }

  private void write(AccessLine line) {
    writer.accept(line);
    written.incrementAndGet();
  }

  private static void log(AccessLine line) {
    var event =
        LOG.atInfo()
            .addKeyValue("requestId", line.requestId())
            .addKeyValue("time", line.at().toString())
            .addKeyValue("method", line.method())
            .addKeyValue("route", line.route())
            .addKeyValue("status", line.status())
            .addKeyValue("milliseconds", line.millis())
            .addKeyValue("queueWaitMilliseconds", line.queueWaitMillis());
    if (line.requester().isPresent()) {
      event = event.addKeyValue("requester", line.requester().get());
    }
    if (line.address().isPresent()) {
      event = event.addKeyValue("address", line.address().get());
    }
    event.log("request");
  }

  /** Writes what is queued, for 2 s at most. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      if (thread.isAlive() && !thread.join(CLOSE_MAX)) {
        LOG.warn("{} lines of the access log are not written", queue.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
