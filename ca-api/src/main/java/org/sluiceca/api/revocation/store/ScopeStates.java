package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.crl.ScopeState.Newest;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;

/**
 * Reads the state of every scope. Nodes ask four times a second, and a delta may be old: events
 * that it does not know of are read once and remembered, so that the cost of a look depends on what
 * is new and not on what is pending. Thread-safe.
 */
final class ScopeStates {

  /** The SQL of a look without deltas, in place of theirs. */
  private static final String NO_DELTAS = "";

  private static final String DELTA_COLUMNS =
      """
      , s.revision, d.number AS delta_number, d.revision AS delta_revision,
        d.this_update AS delta_this_update, d.next_update AS delta_next_update,
        d.signed_at AS delta_signed_at, d.entries AS delta_entries
      """;

  private static final String DELTAS =
      """
      LEFT JOIN LATERAL (
        SELECT c.number, c.revision, c.this_update, c.next_update, c.entries,
          g.recorded_at AS signed_at
        FROM delta_crl_signature g
        JOIN crl c ON c.issuer = g.issuer AND c.shard = g.shard AND c.number = g.number
        WHERE g.issuer = s.issuer AND g.shard = s.shard
        ORDER BY g.number DESC LIMIT 1) d ON true
      """;

  // Of each scope its newest signed CRL, the newest reservation above all that is signed (also
  // above deltas of other nodes, where this one makes none), and what is pending: each a descent of
  // an index.
  private static final String STATES =
      """
      SELECT s.issuer, s.shard, now() AS now, n.number, n.this_update, n.next_update, n.signed_at,
        n.entries, u.reserved_at, p.pending_since, p.is_compromise %s
      FROM crl_scope s
      LEFT JOIN LATERAL (
        SELECT c.number, c.revision, c.this_update, c.next_update, c.entries,
          g.recorded_at AS signed_at
        FROM crl_signature g
        JOIN crl c ON c.issuer = g.issuer AND c.shard = g.shard AND c.number = g.number
        WHERE g.issuer = s.issuer AND g.shard = s.shard
        ORDER BY g.number DESC LIMIT 1) n ON true
      LEFT JOIN LATERAL (
        SELECT c.recorded_at AS reserved_at FROM crl c
        WHERE c.issuer = s.issuer AND c.shard = s.shard
          AND c.number > greatest(n.number, 0, (SELECT max(g.number) FROM delta_crl_signature g
            WHERE g.issuer = s.issuer AND g.shard = s.shard))
        ORDER BY c.number DESC LIMIT 1) u ON true
      LEFT JOIN LATERAL (
        SELECT min(r.recorded_at) AS pending_since, bool_or(r.reason IN (1, 2, 10)) AS is_compromise
        FROM revocation r
        WHERE s.revision > coalesce(n.revision, 0)
          AND r.issuer = s.issuer AND r.shard = s.shard AND r.revision > coalesce(n.revision, 0)
        HAVING count(*) > 0) p ON true
      %s
      ORDER BY s.issuer, s.shard LIMIT ?
      """;

  // The revisions of a scope are committed in their order: a reader that sees one sees those below
  // it.
  private static final String NEWS =
      """
      SELECT max(r.revision) AS revision, min(r.recorded_at) AS pending_since,
        coalesce(bool_or(r.reason IN (1, 2, 10)), false) AS is_compromise
      FROM (SELECT revision, recorded_at, reason FROM revocation
        WHERE issuer = ? AND shard = ? AND revision > ? ORDER BY revision LIMIT ?) r
      """;

  /** Ten issuers of as many shards as may be configured. */
  private static final int SCOPES_MAX = 10_000;

  /** Events that a look reads of a scope; where there are more, the next look goes on with them. */
  static final int NEWS_MAX = 10_000;

  /**
   * The events that a delta does not know of, as far as they were read.
   *
   * @param delta the delta's number
   * @param revision of the last event that was read
   */
  private record Unknown(long delta, long revision, Optional<Pending> pending) {}

  private final boolean areDeltasOn;
  private final String states;
  private final Map<CrlScope, Unknown> unknown = new ConcurrentHashMap<>();

  /** Reads where deltas stand only if there are to be any; without them they stand nowhere. */
  ScopeStates(boolean areDeltasOn) {
    this.areDeltasOn = areDeltasOn;
    this.states =
        areDeltasOn
            ? String.format(Locale.ROOT, STATES, DELTA_COLUMNS, DELTAS)
            : String.format(Locale.ROOT, STATES, NO_DELTAS, NO_DELTAS);
  }

  /** Reads every scope, one statement and one more for each whose delta has new events. */
  List<ScopeState> read(Connection connection) throws SQLException {
    List<ScopeState> read = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(states)) {
      statement.setInt(1, SCOPES_MAX);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          read.add(state(connection, row));
        }
      }
    }
    return read;
  }

  private ScopeState state(Connection connection, ResultSet row) throws SQLException {
    CrlScope scope = new CrlScope(new IssuerName(row.getString("issuer")), row.getInt("shard"));
    return new ScopeState(
        scope,
        PostgresCrlStore.instant(row, "now").orElseThrow(),
        newest(row, ""),
        PostgresCrlStore.instant(row, "reserved_at"),
        pending(row),
        areDeltasOn ? delta(connection, scope, row) : Optional.empty());
  }

  private Optional<ScopeState.Delta> delta(Connection connection, CrlScope scope, ResultSet row)
      throws SQLException {
    Optional<Newest> delta = newest(row, "delta_");
    if (delta.isEmpty()) {
      return Optional.empty();
    }
    @Nullable Unknown before = unknown.get(scope);
    Unknown now =
        before != null && before.delta() == delta.get().number()
            ? before
            : new Unknown(delta.get().number(), row.getLong("delta_revision"), Optional.empty());
    if (row.getLong("revision") > now.revision()) {
      now = withNews(connection, scope, now);
    }
    unknown.put(scope, now);
    return Optional.of(new ScopeState.Delta(delta.get(), now.pending()));
  }

  private static Unknown withNews(Connection connection, CrlScope scope, Unknown before)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NEWS)) {
      PostgresCrlStore.bind(statement, scope);
      statement.setLong(3, before.revision());
      statement.setInt(4, NEWS_MAX);
      try (ResultSet row = statement.executeQuery()) {
        Optional<Pending> news = row.next() ? pending(row) : Optional.empty();
        return news.isEmpty()
            ? before
            : new Unknown(
                before.delta(),
                row.getLong("revision"),
                Optional.of(before.pending().map(b -> both(b, news.get())).orElse(news.get())));
      }
    }
  }

  private static Pending both(Pending one, Pending other) {
    return new Pending(
        one.since().isBefore(other.since()) ? one.since() : other.since(),
        one.isCompromise() || other.isCompromise());
  }

  private static Optional<Newest> newest(ResultSet row, String prefix) throws SQLException {
    Optional<Instant> signedAt = PostgresCrlStore.instant(row, prefix + "signed_at");
    return signedAt.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Newest(
                row.getLong(prefix + "number"),
                PostgresCrlStore.instant(row, prefix + "this_update").orElseThrow(),
                PostgresCrlStore.instant(row, prefix + "next_update").orElseThrow(),
                signedAt.get(),
                row.getInt(prefix + "entries")));
  }

  private static Optional<Pending> pending(ResultSet row) throws SQLException {
    Optional<Instant> since = PostgresCrlStore.instant(row, "pending_since");
    return since.isEmpty()
        ? Optional.empty()
        : Optional.of(new Pending(since.get(), row.getBoolean("is_compromise")));
  }
}
