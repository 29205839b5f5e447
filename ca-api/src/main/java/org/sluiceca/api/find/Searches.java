package org.sluiceca.api.find;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.sluiceca.api.ledger.find.CertificateSearch;
import org.sluiceca.api.ledger.find.CertificateSearch.Page;
import org.sluiceca.api.ledger.find.ExpiryTally;
import org.sluiceca.api.ledger.find.Position;
import org.sluiceca.api.ledger.find.SearchFilter;
import org.sluiceca.api.problem.ProblemException;
import org.sluiceca.api.problem.ProblemType;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/**
 * Searches with bounds: two at once, for there are connections for two, and 32 that wait two
 * seconds for their turn. Thread-safe. Who finds no turn gets 503, and who finds no database {@link
 * LedgerUnavailable}.
 */
public final class Searches {

  private static final int AT_ONCE = 2;

  private static final int WAITING_MAX = 32;

  private static final Duration WAIT_MAX = Duration.ofSeconds(2);

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final CertificateSearch search;
  private final ExpiryTally tally;
  private final FindMetrics metrics;
  private final Semaphore turns = new Semaphore(AT_ONCE, true);
  private final Semaphore places = new Semaphore(AT_ONCE + WAITING_MAX);

  /** Searches with {@code search} and {@code tally}. */
  public Searches(CertificateSearch search, ExpiryTally tally, FindMetrics metrics) {
    this.search = search;
    this.tally = tally;
    this.metrics = metrics;
  }

  /** Returns a page; see {@link CertificateSearch#page}. */
  Page page(SearchFilter filter, Optional<Position> after, int limit, Instant now) {
    return inTurn(() -> metrics.search().record(() -> search.page(filter, after, limit, now)));
  }

  /** Returns what expires; see {@link ExpiryTally#count}. */
  ExpiryTally.Report count(LocalDate from, LocalDate before) {
    return inTurn(() -> tally.count(from, before));
  }

  private <T> T inTurn(Supplier<T> work) {
    if (!places.tryAcquire()) {
      throw busy();
    }
    try {
      if (!turns.tryAcquire(WAIT_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
        throw busy();
      }
      try {
        return work.get();
      } finally {
        turns.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for a search", e);
    } finally {
      places.release();
    }
  }

  private static ProblemException busy() {
    return new ProblemException(
        ProblemType.SATURATED, "too many searches at once on this node", RETRY, null);
  }
}
