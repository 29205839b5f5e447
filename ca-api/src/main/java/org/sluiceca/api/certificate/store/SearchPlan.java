package org.sluiceca.api.certificate.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a search is answered: which index it reads, in that index' order, and what it then asks of
 * each certificate. Not the planner's choice, for the bound on a page depends on it.
 */
final class SearchPlan {

  /**
   * Certificates that one page looks at, at most. A page that finds less than it may among these is
   * short, and the next one goes on from there: so no search takes longer than this number of
   * look-ups.
   */
  static final int CANDIDATES_MAX = 500;

  /** The ways to look, each with the index that has its order, and the columns of that order. */
  @SuppressWarnings("ImmutableEnumChecker") // Lists of List.of.
  private enum Way {
    /** One requester's certificates of one name. */
    OWN_NAME("expiry_week", "serial"),
    /** One requester's, the newest first. Its pages depend on no other requester's certificates. */
    OWN("issued_at", "expiry_week", "serial"),
    NAME("name", "requester", "expiry_week", "serial"),
    REVOKED("expiry_week", "serial"),
    PROFILE("issued_at", "expiry_week", "serial"),
    ALL("issued_at", "expiry_week", "serial");

    private final List<String> order;

    Way(String... order) {
      this.order = List.of(order);
    }
  }

  private static final int KIND_SUBJECT = 1;
  private static final int KIND_SAN = 2;

  private final SearchFilter filter;
  private final Optional<Position> after;
  private final Instant now;
  private final Way way;

  /** The name by whose index it looks, and whether it is a subjectAltName. */
  private final @Nullable NameRange name;

  private final boolean isSan;

  SearchPlan(SearchFilter filter, Optional<Position> after, Instant now) {
    this.filter = filter;
    this.after = after;
    this.now = now;
    Optional<NameRange> san = filter.san().filter(range -> !range.isEnding());
    this.isSan = san.isPresent();
    this.name = san.or(() -> filter.subject().filter(range -> !range.isEnding())).orElse(null);
    this.way = wayOf(filter, name);
  }

  private static Way wayOf(SearchFilter filter, @Nullable NameRange name) {
    if (filter.requester().isPresent()) {
      return name != null && name.isExact() ? Way.OWN_NAME : Way.OWN;
    }
    if (name != null) {
      return Way.NAME;
    }
    if (filter.status().filter(s -> s == SearchFilter.Status.REVOKED).isPresent()) {
      return Way.REVOKED;
    }
    return filter.profile().isPresent() ? Way.PROFILE : Way.ALL;
  }

  /** A statement and its parameters in order. */
  record Query(String sql, List<Object> parameters) {}

  /** Gathers a statement. */
  private static final class Text {
    private final StringBuilder sql = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();

    Text add(String part, Object... values) {
      sql.append(part).append('\n');
      parameters.addAll(Arrays.asList(values));
      return this;
    }

    Query query() {
      return new Query(sql.toString(), parameters);
    }
  }

  /**
   * Returns the query of all that a page looks at, in order: each one's place, and next to it the
   * certificate if the search is for it; otherwise its {@code profile} is null. One statement,
   * since each walks an index in every week: a caller that has found enough reads no further.
   */
  Query candidates() {
    Text text =
        new Text()
            .add(
                """
                SELECT k.name, k.requester AS place_requester, k.issued_at AS place_issued_at, k.serial,
                  f.issued_at, f.requester, f.profile, f.issuer, f.not_before, f.not_after, f.subject,
                  f.sans, f.reason, f.revoked_at
                FROM (""");
    addCandidates(text);
    // The limit in the middle says nothing, and keeps what else is asked of a certificate out of
    // how it is found: by primary key. A planner that takes a requester or a profile for rare
    // would walk all that it has, for each certificate.
    text.add(
        """
        ) AS k
        LEFT JOIN LATERAL (
          SELECT c.issued_at, c.requester, c.profile, c.issuer, c.not_before, c.not_after, c.subject,
            c.sans, r.reason, r.revoked_at
          FROM (SELECT i.issued_at, i.requester, i.profile, i.issuer, i.not_before, i.not_after,
              i.subject, i.subject_names, i.sans
            FROM certificate_index i
            WHERE i.expiry_week = k.expiry_week AND i.serial = k.serial LIMIT 1) AS c
          LEFT JOIN LATERAL (SELECT v.reason, v.revoked_at FROM revocation v
            WHERE v.expiry_week = k.expiry_week AND v.serial = k.serial
            ORDER BY v.event DESC LIMIT 1) AS r ON true
          WHERE true""");
    addConditions(text);
    return text.add("LIMIT 1) AS f ON true").add("ORDER BY " + ordered("k.")).query();
  }

  private void addCandidates(Text text) {
    int first = filter.firstWeek(now);
    int last = filter.lastWeek(now);
    switch (way) {
      case OWN_NAME, NAME -> {
        text.add(
            """
            SELECT t.name, t.requester, timestamptz 'epoch' AS issued_at, t.expiry_week, t.serial
            FROM certificate_name t
            WHERE t.kind = ? AND t.expiry_week BETWEEN ? AND ?""",
            isSan ? KIND_SAN : KIND_SUBJECT,
            first,
            last);
        if (named().isExact()) {
          text.add("AND t.name = ?", named().lowest());
        } else {
          text.add("AND t.name >= ? AND t.name < ?", named().lowest(), named().end());
        }
        filter.requester().ifPresent(r -> text.add("AND t.requester = ?", r.value()));
      }
      case REVOKED ->
          text.add(
              """
              SELECT '' AS name, '' AS requester, timestamptz 'epoch' AS issued_at, t.expiry_week,
                t.serial
              FROM revocation t WHERE t.event = 1 AND t.expiry_week BETWEEN ? AND ?""",
              first,
              last);
      case OWN, PROFILE, ALL -> {
        text.add(
            """
            SELECT '' AS name, '' AS requester, t.issued_at, t.expiry_week, t.serial
            FROM certificate_index t WHERE t.expiry_week BETWEEN ? AND ?""",
            first,
            last);
        filter.requester().ifPresent(r -> text.add("AND t.requester = ?", r.value()));
        if (way == Way.PROFILE) {
          filter.profile().ifPresent(p -> text.add("AND t.profile = ?", p.value()));
        }
        addSpan(text, "t.issued_at", filter.issued());
      }
    }
    after.ifPresent(p -> text.add(isBeyond(), beyond(p)));
    text.add("ORDER BY " + ordered("t.")).add("LIMIT " + CANDIDATES_MAX);
  }

  private NameRange named() {
    if (name == null) {
      throw new IllegalStateException("a search by name without one");
    }
    return name;
  }

  /** Row comparison, which a B-tree follows as one bound. */
  private String isBeyond() {
    return "AND ("
        + String.join(", ", way.order.stream().map("t."::concat).toList())
        + ") < ("
        + String.join(", ", way.order.stream().map(column -> "?").toList())
        + ")";
  }

  private Object[] beyond(Position position) {
    return way.order.stream()
        .map(
            column ->
                switch (column) {
                  case "name" -> position.name();
                  case "requester" -> position.requester();
                  case "issued_at" -> position.issuedAt().atOffset(ZoneOffset.UTC);
                  case "expiry_week" -> (Object) position.expiryWeek();
                  default -> position.serialNumber().octets();
                })
        .toArray();
  }

  private String ordered(String table) {
    return String.join(", ", way.order.stream().map(column -> table + column + " DESC").toList());
  }

  private void addConditions(Text text) {
    filter.requester().ifPresent(r -> text.add("AND c.requester = ?", r.value()));
    filter.profile().ifPresent(p -> text.add("AND c.profile = ?", p.value()));
    filter.issuer().ifPresent(i -> text.add("AND c.issuer = ?", i.value()));
    addSpan(text, "c.issued_at", filter.issued());
    addSpan(text, "c.not_after", filter.expires());
    filter.subject().ifPresent(range -> addNames(text, "c.subject_names", range));
    filter.san().ifPresent(range -> addNames(text, "c.sans", range));
    if (way == Way.NAME) {
      // A certificate of several names that begin so stands where the first of them does, once.
      text.add(
          String.format(
              Locale.ROOT,
              """
          AND k.name = (SELECT max(x.name) FROM unnest(%s) AS x (name)
            WHERE x.name >= ? AND x.name < ?)""",
              isSan ? "c.sans" : "c.subject_names"),
          named().lowest(),
          named().end());
    }
    filter.status().ifPresent(status -> addStatus(text, status));
  }

  private static void addNames(Text text, String column, NameRange range) {
    if (range.isEnding()) {
      text.add(
          String.format(
              Locale.ROOT,
              """
          AND EXISTS (SELECT FROM unnest(%s) AS x (name) WHERE right(x.name, length(?)) = ?)""",
              column),
          range.lowest(),
          range.lowest());
      return;
    }
    text.add(
        String.format(
            Locale.ROOT,
            """
        AND EXISTS (SELECT FROM unnest(%s) AS x (name) WHERE x.name >= ? AND x.name < ?)""",
            column),
        range.lowest(),
        range.end());
  }

  private static void addSpan(Text text, String column, SearchFilter.Span span) {
    span.after().ifPresent(a -> text.add("AND " + column + " > ?", a.atOffset(ZoneOffset.UTC)));
    span.before().ifPresent(b -> text.add("AND " + column + " < ?", b.atOffset(ZoneOffset.UTC)));
  }

  private void addStatus(Text text, SearchFilter.Status status) {
    switch (status) {
      case REVOKED -> text.add("AND r.reason IS NOT NULL");
      case VALID ->
          text.add("AND r.reason IS NULL AND c.not_after > ?", now.atOffset(ZoneOffset.UTC));
      case EXPIRED ->
          text.add("AND r.reason IS NULL AND c.not_after <= ?", now.atOffset(ZoneOffset.UTC));
    }
  }
}
