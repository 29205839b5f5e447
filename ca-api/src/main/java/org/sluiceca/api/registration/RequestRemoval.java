package org.sluiceca.api.registration;

import java.time.Duration;
import java.time.Instant;
import java.util.function.ToIntFunction;

/**
 * When old requests are removed: a batch a minute, and one at each step while batches are full.
 * Owned by the thread of {@link RequestLoop}.
 */
final class RequestRemoval {

  /** Removal is not urgent; once a minute spares three statements a step. */
  static final Duration PERIOD = Duration.ofMinutes(1);

  private final ToIntFunction<Instant> batch;
  private final int batchMax;
  private Instant next = Instant.MIN;

  /**
   * The first step removes.
   *
   * @param batch removes what is old at a time, and returns how many
   * @param batchMax as many as this, or more, and there may be others
   */
  RequestRemoval(ToIntFunction<Instant> batch, int batchMax) {
    this.batch = batch;
    this.batchMax = batchMax;
  }

  /**
   * Removes a batch if it is time; returns whether there may be more to remove now. After a failure
   * it is still time.
   */
  boolean step(Instant now) {
    // The latter after a clock that was fast has been corrected.
    if (now.isBefore(next) && !next.isAfter(now.plus(PERIOD))) {
      return false;
    }
    boolean isMore = batch.applyAsInt(now) >= batchMax;
    next = isMore ? now : now.plus(PERIOD);
    return isMore;
  }
}
