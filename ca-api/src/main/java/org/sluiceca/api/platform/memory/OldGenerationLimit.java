package org.sluiceca.api.platform.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.time.Ticker;

/**
 * Collects the old generation when it has become larger than it was at the start, or by {@link
 * #ROOM_BYTES} larger than what lives. Without this the serial collector lets it grow to the
 * maximum of the heap first, so that resident memory grows for hours. At most one collection in
 * {@link #REST}: under a load that fills the old generation faster the JVM collects it when it is
 * full.
 *
 * <p>{@link #begin} first, then {@link #reached} by the thread that the JVM notifies on.
 * Thread-safe.
 */
final class OldGenerationLimit {

  private static final Logger LOG = LoggerFactory.getLogger(OldGenerationLimit.class);

  /** What a node whose status answers all change each hour leaves in an hour. */
  static final long ROOM_BYTES = 8L << 20;

  /** A collection stops a node for 0.1 to 0.5 s. */
  static final Duration REST = Duration.ofMinutes(30);

  /** Above it the JVM will soon collect by itself. */
  private static final double NEARLY_FULL = 0.9;

  private final OldGeneration old;
  private final Ticker ticker;

  @GuardedBy("this")
  private long atStart;

  @GuardedBy("this")
  private boolean hasCollected;

  @GuardedBy("this")
  private long collectedNanos;

  OldGenerationLimit(OldGeneration old, Ticker ticker) {
    this.old = old;
    this.ticker = ticker;
  }

  /**
   * Begins with what is used now, when the node has started, and collects the start's own garbage:
   * the first clients would wait for it otherwise. Blocks for the collection.
   */
  synchronized void begin() {
    atStart = old.used();
    collect();
  }

  /** More is used than the limit. Blocks for the collection. */
  synchronized void reached() {
    long now = ticker.nanoTime();
    if (hasCollected && now - collectedNanos < REST.toNanos()) {
      limit(old.used() + ROOM_BYTES);
      return;
    }
    hasCollected = true;
    collectedNanos = now;
    collect();
  }

  @GuardedBy("this")
  private void collect() {
    long begun = ticker.nanoTime();
    long before = old.used();
    old.collect();
    long after = old.used();
    long next = limit(Math.max(atStart, after + ROOM_BYTES));
    LOG.info(
        "the old generation was collected in {} ms: {} MB used, {} before; next above {}",
        TimeUnit.NANOSECONDS.toMillis(ticker.nanoTime() - begun),
        after >> 20,
        before >> 20,
        next >> 20);
  }

  private long limit(long bytes) {
    long limit = Math.min(bytes, (long) (NEARLY_FULL * old.max()));
    old.notifyAbove(limit);
    return limit;
  }
}
