package org.sluiceca.api.platform.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.sluiceca.core.time.Ticker;

/**
 * Lets the first lines of each logger and level in a minute pass and counts the rest, so that a
 * line which a client can cause does not fill the disk. Thread-safe; loggers are a closed set.
 */
public final class LogLineLimit extends TurboFilter {

  /** Lines of one logger and level in a minute: two a second are more than a person reads. */
  public static final int LINES_PER_MINUTE = 120;

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogLineLimit.class);

  private record Source(String logger, Level level) {}

  /** The lines of one source in its present minute. */
  private static final class Minute {
    private final AtomicLong since;
    private final AtomicLong lines = new AtomicLong();

    Minute(long now) {
      since = new AtomicLong(now);
    }
  }

  private final Map<Source, Minute> minutes = new ConcurrentHashMap<>();
  private final AtomicLong suppressed = new AtomicLong();
  private final AtomicLong lastReport;
  private final Set<String> unlimited;
  private final Ticker ticker;

  /**
   * Makes a filter, to be added to the logging framework's context.
   *
   * @param unlimited names of loggers that limit their lines themselves
   */
  public LogLineLimit(Set<String> unlimited, Ticker ticker) {
    this.unlimited = Set.copyOf(unlimited);
    this.ticker = ticker;
    this.lastReport = new AtomicLong(ticker.nanoTime());
  }

  /** Returns how many lines were counted instead of written. */
  public long suppressed() {
    return suppressed.get();
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    // A question whether a level is on has no format.
    if (format == null
        || !level.isGreaterOrEqual(logger.getEffectiveLevel())
        || logger.getName().equals(LOG.getName())
        || unlimited.contains(logger.getName())) {
      return FilterReply.NEUTRAL;
    }
    long now = ticker.nanoTime();
    report(now);
    Minute minute =
        minutes.computeIfAbsent(new Source(logger.getName(), level), source -> new Minute(now));
    long since = minute.since.get();
    if (now - since >= MINUTE && minute.since.compareAndSet(since, now)) {
      long over = minute.lines.getAndSet(0) - LINES_PER_MINUTE;
      report(logger.getName(), level, over);
    }
    if (minute.lines.incrementAndGet() <= LINES_PER_MINUTE) {
      return FilterReply.NEUTRAL;
    }
    suppressed.incrementAndGet();
    return FilterReply.DENY;
  }

  /** Reports once a minute the excess of sources that have been silent since. */
  private void report(long now) {
    long last = lastReport.get();
    if (now - last < MINUTE || !lastReport.compareAndSet(last, now)) {
      return;
    }
    minutes.forEach(
        (source, minute) -> {
          long since = minute.since.get();
          if (now - since >= MINUTE && minute.since.compareAndSet(since, now)) {
            report(source.logger(), source.level(), minute.lines.getAndSet(0) - LINES_PER_MINUTE);
          }
        });
  }

  private static void report(String logger, Level level, long over) {
    if (over > 0) {
      LOG.warn("{} more lines of {} at {} in a minute were not written", over, logger, level);
    }
  }
}
