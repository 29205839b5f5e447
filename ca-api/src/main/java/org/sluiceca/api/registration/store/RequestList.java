package org.sluiceca.api.registration.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;

/**
 * Lists and counts requests that have no serial number, each kind by an index of its own, so that
 * no query reads those that were issued. Thread-safe; every method blocks, for some seconds at
 * most, and throws {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the
 * database does not answer.
 */
public final class RequestList {

  /** More than this of one kind are not counted. */
  public static final int COUNTED_MAX = 100_000;

  /** Later than any request. */
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  /** The kinds of requests that can be listed. */
  public enum Kind {
    /** Without a CSR, the next to expire first. */
    OPEN("csr IS NULL", "expires_at", ">", ""),
    /** With a CSR, waiting for the HSM, the one that was tried longest ago first. */
    PROCESSING("csr IS NOT NULL AND serial IS NULL AND refusal IS NULL", "tried_at", ">", ""),
    /** Refused after their CSR came, the newest first. */
    REFUSED("refusal IS NOT NULL AND serial IS NULL", "created_at", "<", " DESC");

    private final String condition;
    private final String page;

    Kind(String condition, String time, String after, String order) {
      this.condition = condition;
      this.page =
          "SELECT "
              + RequestRow.COLUMNS
              + ", "
              + time
              + " AS place FROM certificate_request WHERE "
              + condition
              + " AND ("
              + time
              + ", id) "
              + after
              + " (?, ?) ORDER BY "
              + time
              + order
              + ", id"
              + order
              + " LIMIT ?";
    }

    private String counts() {
      return "SELECT endpoint, count(*) AS waiting, min("
          + (this == PROCESSING ? "finalized_at" : "created_at")
          + ") AS oldest FROM (SELECT endpoint, created_at, finalized_at FROM certificate_request"
          + " WHERE "
          + condition
          + " LIMIT ?) counted GROUP BY endpoint";
    }

    /** Returns the place before the first one of a list. */
    public Place first() {
      Place first = new Place(Instant.EPOCH, PostgresRequestStore.Place.FIRST.id());
      return this == REFUSED ? new Place(LATEST, first.id()) : first;
    }
  }

  /** The place of a request in a list. */
  public record Place(Instant time, RegistrationId id) {}

  /** A request in a list. */
  public record Listed(CertificateRequest request, Place place) {}

  /**
   * The requests of one kind at one endpoint.
   *
   * @param oldest when the oldest of them was made or, with a CSR, finalized
   */
  public record Count(String endpoint, long requests, Instant oldest) {}

  private final LedgerSql sql;

  /** Lists requests of a database that was migrated. */
  public RequestList(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Returns requests of one kind that come after a place, {@code max} at most. */
  public List<Listed> page(Kind kind, Place after, int max) {
    return sql.run(
        "the requests cannot be read",
        jdbc -> {
          List<Listed> page =
              jdbc.sql(kind.page)
                  .params(RequestRow.time(after.time()))
                  .params(RequestRow.octets(after.id()), max)
                  .query(
                      (row, number) -> {
                        CertificateRequest request = RequestRow.request(row, number);
                        return new Listed(
                            request, new Place(LedgerColumns.instant(row, "place"), request.id()));
                      })
                  .list();
          if (kind != Kind.OPEN) {
            return page;
          }
          Map<RegistrationId, List<Authorization>> proofs =
              AuthorizationStore.ofAll(jdbc, page.stream().map(l -> l.request().id()).toList());
          return page.stream().map(listed -> withProofs(listed, proofs)).toList();
        });
  }

  private static Listed withProofs(Listed listed, Map<RegistrationId, List<Authorization>> proofs) {
    @Nullable List<Authorization> own = proofs.get(listed.request().id());
    return own == null || own.stream().allMatch(p -> p.status() == Authorization.Status.VALID)
        ? listed
        : new Listed(listed.request().in(new RequestState.Awaiting(own)), listed.place());
  }

  /** Counts the requests of one kind by endpoint, {@value #COUNTED_MAX} of all at most. */
  public List<Count> counts(Kind kind) {
    return sql.run(
        "the requests cannot be counted",
        jdbc ->
            jdbc.sql(kind.counts())
                .param(COUNTED_MAX)
                .query(
                    (row, number) ->
                        new Count(
                            row.getString("endpoint"),
                            row.getLong("waiting"),
                            LedgerColumns.instant(row, "oldest")))
                .list());
  }
}
