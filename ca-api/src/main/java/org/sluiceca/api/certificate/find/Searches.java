package org.sluiceca.api.certificate.find;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
 * Searches with bounds: two at once, for there are connections for two, and 32 that wait for their
 * turn, shared fairly among requesters. Thread-safe. A request that gets no turn is answered 503;
 * without a database it fails with {@link LedgerUnavailable}.
 */
public final class Searches {

  private static final int AT_ONCE = 2;

  private static final int WAITING_MAX = 32;

  /** What a search takes besides its statement: a connection, and the rows of a page. */
  private static final Duration REST_OF_SEARCH_MAX = Duration.ofSeconds(3);

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final CertificateSearch search;
  private final ExpiryTally tally;
  private final Timer duration;
  private final Duration waitMax;
  private final FairSlots<RequesterId> turns = new FairSlots<>(AT_ONCE, AT_ONCE + WAITING_MAX);

  /**
   * Searches with {@code search} and {@code tally}. A request waits for its turn longer than one
   * search may take, so that a requester's only search, which is next but one, gets its turn
   * however slow the searches of others are.
   *
   * @param statementMax after which the database ends a statement
   */
  public Searches(
      CertificateSearch search, ExpiryTally tally, MeterRegistry registry, Duration statementMax) {
    this.waitMax = statementMax.plus(REST_OF_SEARCH_MAX);
    this.search = search;
    this.tally = tally;
    this.duration = Timer.builder("ca.search.duration").register(registry);
  }

  /** Returns a page; see {@link CertificateSearch#page}. */
  Page page(
      RequesterId requester,
      SearchFilter filter,
      Optional<Position> after,
      int limit,
      Instant now) {
    return inTurn(requester, () -> duration.record(() -> search.page(filter, after, limit, now)));
  }

  /** Returns what expires; see {@link ExpiryTally#count}. */
  ExpiryTally.Report count(RequesterId requester, LocalDate from, LocalDate before) {
    return inTurn(requester, () -> tally.count(from, before));
  }

  private <T> T inTurn(RequesterId requester, Supplier<T> work) {
    try {
      if (!turns.begin(requester, waitMax)) {
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

  private ProblemException busy() {
    return new ProblemException(
        ProblemType.SATURATED,
        String.format(
            Locale.ROOT,
            "no turn to search within %d s: %d searches run at once on a node, %d requests wait, and each requester has a share of them",
            waitMax.toSeconds(),
            AT_ONCE,
            WAITING_MAX),
        RETRY,
        null);
  }
}
