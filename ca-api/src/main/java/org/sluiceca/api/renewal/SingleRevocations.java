package org.sluiceca.api.renewal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.core.renewal.RevocationBacklog;

/**
 * The delays of certificates that were revoked alone. The backlog is read once for each minute, up
 * to some 50,000 rows of an index, and kept: it depends on earlier rows alone. Thread-safe; blocks
 * for a query, or for that of another caller, so that strangers occupy one connection at most.
 */
final class SingleRevocations {

  private static final int KEPT_MAX = 5_000;

  private record Minute(Instant start, boolean ofCompromised) {}

  private record Backlog(double seconds, double perSecond) {}

  private final RateStore rates;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final LinkedHashMap<Minute, Backlog> kept = new LinkedHashMap<>();

  SingleRevocations(RateStore rates) {
    this.rates = rates;
  }

  /** Returns how long after {@code recordedAt} a certificate's window begins. */
  Duration delay(Instant recordedAt, boolean ofCompromised) {
    Minute minute = new Minute(recordedAt.truncatedTo(ChronoUnit.MINUTES), ofCompromised);
    lock.lock();
    try {
      Backlog backlog = backlog(minute);
      return RevocationBacklog.delay(
          backlog.seconds(),
          Duration.between(minute.start(), recordedAt),
          rates.ahead(minute.start(), recordedAt, ofCompromised),
          backlog.perSecond());
    } finally {
      lock.unlock();
    }
  }

  private Backlog backlog(Minute minute) {
    @Nullable Backlog known = kept.get(minute);
    if (known != null) {
      return known;
    }
    double perSecond = rates.at(minute.start());
    Backlog read =
        new Backlog(
            rates.backlogSeconds(minute.start(), perSecond, minute.ofCompromised()), perSecond);
    if (kept.size() >= KEPT_MAX) {
      kept.pollFirstEntry();
    }
    kept.put(minute, read);
    return read;
  }
}
