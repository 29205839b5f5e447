package org.sluiceca.api.registration.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.Authorization.Fault;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.RegistrationId;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The proofs that clients say are there, in PostgreSQL. A node claims what it looks for, so that no
 * two do at once, and a claim ends by itself when its node has died. Thread-safe; blocks for a
 * statement and throws {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the
 * database does not answer.
 */
public final class ProofQueue {

  /** The most that one claim considers; more wait behind them. */
  private static final int DUE_MAX = 5_000;

  private static final Duration FAILED_KEPT = Duration.ofHours(1);

  /**
   * The endpoints in turn, at each the first of each network before the second of any, and of a
   * network the first of each account. An account without a network counts as one. Those that this
   * node is looking for now count as earlier ones, so that a newcomer comes before the next proof
   * of an account, network or endpoint that has some.
   */
  private static final String CLAIM =
      """
      WITH due AS (
        SELECT t.request, t.number FROM (
          SELECT s.request, s.number, s.endpoint, s.next_at,
                 row_number() OVER (PARTITION BY s.endpoint
                                    ORDER BY s.near + coalesce(n.running, s.own), s.next_at) AS turn
          FROM (
            SELECT p.request, p.number, p.endpoint, p.network, p.next_at,
                   CASE WHEN p.network IS NULL THEN coalesce(a.running, 0) ELSE 0 END AS own,
                   row_number() OVER (PARTITION BY coalesce(p.network, encode(p.actor, 'hex'))
                                      ORDER BY p.place + coalesce(a.running, 0), p.next_at) AS near
            FROM (
              SELECT d.request, d.number, d.endpoint, d.actor, d.network, d.next_at,
                     row_number() OVER (PARTITION BY d.actor ORDER BY d.next_at) AS place
              FROM (SELECT o.request, o.number, o.endpoint, o.actor, o.network, o.next_at
                    FROM request_authorization o
                    WHERE o.status = 'processing' AND o.next_at <= ? AND NOT o.actor = ANY(?)
                      AND o.endpoint = ANY(?)
                      AND (o.network IS NULL OR NOT o.network = ANY(?))
                    ORDER BY o.next_at LIMIT ?) d) p
            LEFT JOIN unnest(?, ?) AS a (actor, running) ON a.actor = p.actor
            WHERE p.place <= ? - coalesce(a.running, 0)) s
          LEFT JOIN unnest(?, ?) AS n (network, running) ON n.network = s.network
          WHERE s.network IS NULL OR s.near <= ? - coalesce(n.running, 0)) t
        LEFT JOIN unnest(?, ?) AS e (endpoint, running) ON e.endpoint = t.endpoint
        WHERE t.turn <= ? - coalesce(e.running, 0)
        ORDER BY t.turn + coalesce(e.running, 0), t.next_at LIMIT ?),
      claimed AS (
        SELECT a.request, a.number FROM request_authorization a JOIN due USING (request, number)
        WHERE a.status = 'processing' AND a.next_at <= ? FOR UPDATE OF a SKIP LOCKED)
      UPDATE request_authorization AS a SET attempts = a.attempts + 1, next_at = ?
      FROM claimed c, certificate_request r
      WHERE a.request = c.request AND a.number = c.number AND r.id = a.request
      RETURNING r.*, a.number, a.token, a.method, a.thumbprint, a.attempts
      """;

  /** From then on next_at, which no node waits for any more, is when the proof was found. */
  private static final String VALID =
      """
      UPDATE request_authorization SET status = 'valid', next_at = ?, fault_kind = NULL, fault_detail = NULL
      WHERE request = ? AND number = ? AND status = 'processing'
      """;

  private static final String FAILED =
      """
      UPDATE request_authorization SET status = ?, next_at = ?, fault_kind = ?, fault_detail = ?
      WHERE request = ? AND number = ? AND status = 'processing'
      """;

  /** A failed request makes room for others, and its client still learns why. */
  private static final String SHORTEN =
      "UPDATE certificate_request SET expires_at = least(expires_at, ?) WHERE id = ? AND csr IS"
          + " NULL";

  private final LedgerSql sql;

  /** Claims from a database that was migrated. */
  public ProofQueue(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * A proof that this node is to look for.
   *
   * @param thumbprint of the account's key (RFC 7638)
   * @param attempt 1 for the first
   * @param network that its account was registered from; empty where none is counted
   */
  public record Due(
      CertificateRequest request,
      int number,
      String token,
      String method,
      String thumbprint,
      int attempt,
      Optional<String> network) {}

  /**
   * Claims proofs whose time has come.
   *
   * @param served the endpoints that this node serves: those of others stay due, for a node that
   *     knows what they offer
   * @param shares what this node looks at, and may look at
   * @param lease after which another node may claim what has no verdict yet
   */
  public List<Due> claim(int max, Set<String> served, Shares shares, Instant now, Duration lease) {
    Shares.Of<RegistrationId> actors = shares.actors();
    Shares.Of<String> networks = shares.networks();
    Shares.Of<String> endpoints = shares.endpoints();
    Set<String> open = new HashSet<>(served);
    endpoints.full().forEach(open::remove);
    return sql.run(
        "the proofs cannot be claimed",
        jdbc ->
            jdbc.sql(CLAIM)
                .params(RequestRow.time(now), octets(actors.full()))
                .params(texts(open), texts(networks.full()))
                .param(DUE_MAX)
                .params(octets(actors.keys()), counts(actors), actors.max())
                .params(texts(networks.keys()), counts(networks), networks.max())
                .params(texts(endpoints.keys()), counts(endpoints), endpoints.max())
                .param(max)
                .params(RequestRow.time(now))
                .params(RequestRow.time(now.plus(lease)))
                .query(
                    (row, number) ->
                        new Due(
                            RequestRow.request(row, number),
                            row.getInt("number"),
                            row.getString("token"),
                            row.getString("method"),
                            row.getString("thumbprint"),
                            row.getInt("attempts"),
                            Optional.ofNullable(row.getString("network"))))
                .list());
  }

  private static SqlArrayValue octets(List<RegistrationId> ids) {
    Object[] octets = ids.stream().map(RequestRow::octets).toArray(byte[][]::new);
    return new SqlArrayValue("bytea", octets);
  }

  private static SqlArrayValue texts(Collection<String> texts) {
    return new SqlArrayValue("text", texts.toArray());
  }

  private static SqlArrayValue counts(Shares.Of<?> of) {
    return new SqlArrayValue("integer", of.counts().toArray());
  }

  /** The proof is there. */
  public void valid(Due due, Instant now) {
    int _ =
        sql.run(
            "the proof cannot be recorded",
            jdbc ->
                jdbc.sql(VALID)
                    .params(RequestRow.time(now))
                    .params(RequestRow.octets(due.request().id()), due.number())
                    .update());
  }

  /**
   * The proof is not there.
   *
   * @param again when to look once more; empty for not at all
   */
  public void failed(Due due, Fault fault, Optional<Instant> again, Instant now) {
    byte[] request = RequestRow.octets(due.request().id());
    int _ =
        sql.transaction(
            "the verdict cannot be recorded",
            jdbc -> {
              int changed =
                  jdbc.sql(FAILED)
                      .params(again.isPresent() ? "processing" : "invalid")
                      .param(again.map(RequestRow::time).orElse(null))
                      .params(fault.kind(), fault.detail())
                      .params(request, due.number())
                      .update();
              return again.isPresent()
                  ? changed
                  : jdbc.sql(SHORTEN)
                      .params(RequestRow.time(now.plus(FAILED_KEPT)), request)
                      .update();
            });
  }
}
