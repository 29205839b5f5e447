package org.sluiceca.api.audit.export;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.api.audit.store.AuditPages;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.share.FairPlaces;
import org.sluiceca.api.platform.share.FairSlots;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ExportForm;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;

/**
 * Pages of the trail with bounds: four are read or being sent at once, of which one auditor has two
 * at most, and one statement reads at a time. A client that reads slowly thus holds a place and 2
 * MB of memory, but no connection to the database. Thread-safe.
 */
public final class AuditExports {

  private static final int PAGES_MAX = 4;

  /** What a page takes besides its statement. */
  private static final Duration REST_MAX = Duration.ofSeconds(3);

  private static final Duration RETRY = Duration.ofSeconds(2);

  /**
   * A page.
   *
   * @param rows also checkpoints, in the form of an export
   * @param next where the next page begins; empty at the end
   */
  record Page(List<AuditRow> rows, Optional<ExportPlace> next) {

    Page {
      rows = List.copyOf(rows);
    }
  }

  private final AuditPages pages;
  private final Duration waitMax;
  private final FairPlaces<RequesterId> places = new FairPlaces<>(PAGES_MAX);
  private final FairSlots<RequesterId> turns = new FairSlots<>(1, PAGES_MAX);

  /**
   * Reads from {@code pages}.
   *
   * @param statementMax after which the database ends a statement
   */
  public AuditExports(AuditPages pages, Duration statementMax) {
    this.pages = pages;
    this.waitMax = statementMax.plus(REST_MAX);
  }

  /** Returns how many pages are read or being sent. */
  public int taken() {
    return places.taken();
  }

  /**
   * Takes a place, to be given back by {@link #giveBack} when the page was sent.
   *
   * @throws ProblemException 503 if there is none for this auditor
   */
  void take(RequesterId auditor) {
    if (!places.take(auditor)) {
      throw busy();
    }
  }

  void giveBack(RequesterId auditor) {
    places.giveBack(auditor);
  }

  /** Reads a page; see {@link AuditPages}. The caller has a place. */
  Page page(RequesterId auditor, ExportQuery query) {
    return inTurn(
        auditor,
        () ->
            switch (query.after()) {
              case ExportPlace.Checkpoint c ->
                  query.hasCheckpoints() ? checkpoints(c) : rows(query, "", 0);
              case ExportPlace.Row r -> rows(query, r.chain(), r.sequence());
            });
  }

  private Page checkpoints(ExportPlace.Checkpoint after) {
    List<ExportForm.Stored> stored = pages.checkpoints(after.number());
    return new Page(
        stored.stream().map(ExportForm::row).toList(),
        Optional.of(
            stored.isEmpty()
                ? ExportPlace.firstRow()
                : new ExportPlace.Checkpoint(stored.getLast().number())));
  }

  private Page rows(ExportQuery query, String chain, long sequence) {
    AuditPages.Rows read = pages.rows(query.filter(), chain, sequence);
    return new Page(
        read.rows(),
        read.isEnd()
            ? Optional.empty()
            : Optional.of(new ExportPlace.Row(read.chain(), read.sequence())));
  }

  private <T> T inTurn(RequesterId auditor, Supplier<T> work) {
    try {
      if (!turns.begin(auditor, waitMax)) {
        throw busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting to read the audit trail", e);
    }
    try {
      return work.get();
    } finally {
      turns.end(auditor);
    }
  }

  private ProblemException busy() {
    return new ProblemException(
        ProblemType.SATURATED,
        String.format(
            Locale.ROOT,
            "this node sends %d of at most %d pages of the audit trail at once, and a requester may"
                + " have no more of them than stay free",
            places.taken(),
            places.max()),
        RETRY,
        null);
  }
}
