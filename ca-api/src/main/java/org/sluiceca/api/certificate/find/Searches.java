package org.sluiceca.api.certificate.find;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.api.certificate.store.CertificateSearch;
import org.sluiceca.api.certificate.store.CertificateSearch.Page;
import org.sluiceca.api.certificate.store.ExpiryTally;
import org.sluiceca.api.certificate.store.Position;
import org.sluiceca.api.certificate.store.SearchFilter;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.share.FairSlots;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;

/**
 * Searches with bounds: two at once, for there are connections for two, and 32 that wait two
 * seconds for their turn, shared fairly among requesters. Thread-safe. A request that gets no turn
 * is answered 503; without a database it fails with {@link LedgerUnavailable}.
 */
public final class Searches {

  private static final int AT_ONCE = 2;

  private static final int WAITING_MAX = 32;

  private static final Duration WAIT_MAX = Duration.ofSeconds(2);

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final CertificateSearch search;
  private final ExpiryTally tally;
  private final FindMetrics metrics;
  private final FairSlots turns = new FairSlots(AT_ONCE, AT_ONCE + WAITING_MAX);

  /** Searches with {@code search} and {@code tally}. */
  public Searches(CertificateSearch search, ExpiryTally tally, FindMetrics metrics) {
    this.search = search;
    this.tally = tally;
    this.metrics = metrics;
  }

  /** Returns a page; see {@link CertificateSearch#page}. */
  Page page(
      RequesterId requester,
      SearchFilter filter,
      Optional<Position> after,
      int limit,
      Instant now) {
    return inTurn(
        requester, () -> metrics.search().record(() -> search.page(filter, after, limit, now)));
  }

  /** Returns what expires; see {@link ExpiryTally#count}. */
  ExpiryTally.Report count(RequesterId requester, LocalDate from, LocalDate before) {
    return inTurn(requester, () -> tally.count(from, before));
  }

  private <T> T inTurn(RequesterId requester, Supplier<T> work) {
    try {
      if (!turns.begin(requester, WAIT_MAX)) {
        throw busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for a search", e);
    }
    try {
      return work.get();
    } finally {
      turns.end(requester);
    }
  }

  private static ProblemException busy() {
    return new ProblemException(
        ProblemType.SATURATED,
        String.format(
            Locale.ROOT,
            "no turn to search within %d s: %d searches run at once on a node, %d requests wait, and each requester has a share of them",
            WAIT_MAX.toSeconds(),
            AT_ONCE,
            WAITING_MAX),
        RETRY,
        null);
  }
}
