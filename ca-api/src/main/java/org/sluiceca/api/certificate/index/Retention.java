package org.sluiceca.api.certificate.index;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.certificate.index.store.ExpiredWeeks;
import org.sluiceca.core.x509.ExpiryWeek;

/** How long the index keeps what has expired. Not thread-safe: the loop's thread owns it. */
public final class Retention {

  private static final Duration PERIOD = Duration.ofDays(1);

  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

  private final ExpiredWeeks weeks;
  private final @Nullable Duration kept;
  private final InstantSource clock;
  private Instant retainAt = Instant.EPOCH;

  /**
   * Has dropped nothing yet.
   *
   * @param kept how long after its expiry a certificate is in the index; without end if null
   */
  public Retention(ExpiredWeeks weeks, @Nullable Duration kept, InstantSource clock) {
    this.weeks = weeks;
    this.kept = kept;
    this.clock = clock;
  }

  /** Drops what has been there long enough, once a day. Blocks as {@link ExpiredWeeks} does. */
  void retain() {
    Instant now = clock.instant();
    if (kept == null || now.isBefore(retainAt)) {
      return;
    }
    retainAt = now.plus(PERIOD);
    Instant before = now.minus(kept);
    int dropped = before.isAfter(Instant.EPOCH) ? weeks.dropBefore(ExpiryWeek.of(before)) : 0;
    if (dropped > 0) {
      LOG.info("dropped {} partitions of what expired before {} from the index", dropped, before);
    }
  }
}
