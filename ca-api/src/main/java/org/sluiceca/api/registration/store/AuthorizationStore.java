package org.sluiceca.api.registration.store;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.Authorization.Fault;
import org.sluiceca.core.registration.Authorization.Status;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.name.Identifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The proofs of names in PostgreSQL: each change is one conditional statement. A node claims what
 * it looks for, so that no two do at once, and a claim ends by itself when its node has died.
 * Thread-safe; blocks for a statement and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the database does not answer.
 */
public final class AuthorizationStore {

  /** How many proofs of one account are looked for at once or wait for it. */
  public static final int RUNNING_MAX = 200;

  /** The same of one endpoint, so that each endpoint's are among those that a claim considers. */
  public static final int ENDPOINT_MAX = 2_000;

  /** The same of accounts from one network: several of them share {@link #ENDPOINT_MAX}. */
  public static final int NETWORK_MAX = 400;

  /** The most that one claim considers; more wait behind them. */
  private static final int DUE_MAX = 5_000;

  private static final Duration FAILED_KEPT = Duration.ofHours(1);

  private static final String COLUMNS =
      "number, token, status, method, fault_kind, fault_detail, next_at";

  private static final String INSERT =
      """
      INSERT INTO request_authorization (request, number, actor, endpoint, network, token)
      SELECT ?, n.number, ?, ?, ?, n.token FROM unnest(?, ?) AS n (number, token)
      """;

  private static final String OF =
      "SELECT " + COLUMNS + " FROM request_authorization WHERE request = ? ORDER BY number";

  private static final String OF_ALL =
      "SELECT request, "
          + COLUMNS
          + " FROM request_authorization WHERE request = ANY(?)"
          + " ORDER BY request, number";

  private static final String BEGIN =
      """
      UPDATE request_authorization SET status = 'processing', method = ?, thumbprint = ?, next_at = ?
      WHERE request = ? AND number = ? AND status = 'pending'
        AND (SELECT count(*) FROM (SELECT FROM request_authorization o
                                   WHERE o.actor = ? AND o.status = 'processing' LIMIT ?) running) < ?
        AND (SELECT count(*) FROM (SELECT FROM request_authorization o
                                   WHERE o.endpoint = ? AND o.status = 'processing' LIMIT ?) others) < ?
        AND (network IS NULL OR
             (SELECT count(*) FROM (SELECT FROM request_authorization o
                                    WHERE o.endpoint = request_authorization.endpoint
                                      AND o.network = request_authorization.network
                                      AND o.status = 'processing' LIMIT ?) near) < ?)
      """;

  private static final String DEACTIVATE =
      """
      UPDATE request_authorization SET status = 'deactivated'
      WHERE request = ? AND number = ? AND status IN ('pending', 'processing', 'valid')
      """;

  /**
   * The endpoints in turn, at each the first of each network before the second of any, and of a
   * network the first of each account. An account without a network counts as one.
   */
  private static final String CLAIM =
      """
      WITH due AS (
        SELECT t.request, t.number FROM (
          SELECT s.request, s.number, s.endpoint, s.next_at,
                 row_number() OVER (PARTITION BY s.endpoint ORDER BY s.near, s.next_at) AS turn
          FROM (
            SELECT p.request, p.number, p.endpoint, p.network, p.next_at,
                   row_number() OVER (PARTITION BY coalesce(p.network, encode(p.actor, 'hex'))
                                      ORDER BY p.place, p.next_at) AS near
            FROM (
              SELECT d.request, d.number, d.endpoint, d.actor, d.network, d.next_at,
                     row_number() OVER (PARTITION BY d.actor ORDER BY d.next_at) AS place
              FROM (SELECT o.request, o.number, o.endpoint, o.actor, o.network, o.next_at
                    FROM request_authorization o
                    WHERE o.status = 'processing' AND o.next_at <= ? AND NOT o.actor = ANY(?)
                      AND NOT o.endpoint = ANY(?)
                      AND (o.network IS NULL OR NOT o.network = ANY(?))
                    ORDER BY o.next_at LIMIT ?) d) p
            LEFT JOIN unnest(?, ?) AS a (actor, running) ON a.actor = p.actor
            WHERE p.place <= ? - coalesce(a.running, 0)) s
          LEFT JOIN unnest(?, ?) AS n (network, running) ON n.network = s.network
          WHERE s.network IS NULL OR s.near <= ? - coalesce(n.running, 0)) t
        LEFT JOIN unnest(?, ?) AS e (endpoint, running) ON e.endpoint = t.endpoint
        WHERE t.turn <= ? - coalesce(e.running, 0)
        ORDER BY t.turn, t.next_at LIMIT ?),
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

  private static final String PROVEN =
      """
      SELECT count(DISTINCT r.identifiers[a.number + 1])
      FROM request_authorization a JOIN certificate_request r ON r.id = a.request
      WHERE r.actor = ? AND r.expires_at > ? AND a.status = 'valid'
        AND r.identifiers[a.number + 1] = ANY(?)
      """;

  private final LedgerSql sql;

  /** Keeps proofs in a database that was migrated. */
  public AuthorizationStore(LedgerDatabase database) {
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

  static void insert(
      JdbcClient jdbc,
      CertificateRequest request,
      Optional<String> network,
      List<Authorization> proofs) {
    int _ =
        jdbc.sql(INSERT)
            .params(PostgresRequestStore.octets(request.id()))
            .params(PostgresRequestStore.octets(request.actor()), request.endpoint().value())
            .param(network.orElse(null))
            .param(
                new SqlArrayValue(
                    "smallint", proofs.stream().map(proof -> (short) proof.number()).toArray()))
            .param(new SqlArrayValue("text", proofs.stream().map(Authorization::token).toArray()))
            .update();
  }

  static List<Authorization> of(JdbcClient jdbc, RegistrationId request) {
    return jdbc.sql(OF)
        .param(PostgresRequestStore.octets(request))
        .query((row, number) -> authorization(row))
        .list();
  }

  /** Returns the proofs of these requests; none of those that needed none. */
  static Map<RegistrationId, List<Authorization>> ofAll(
      JdbcClient jdbc, List<RegistrationId> requests) {
    Object[] ids = requests.stream().map(PostgresRequestStore::octets).toArray(byte[][]::new);
    return jdbc
        .sql(OF_ALL)
        .param(new SqlArrayValue("bytea", ids))
        .query(
            (row, number) -> Map.entry(PostgresRequestStore.id(row, "request"), authorization(row)))
        .list()
        .stream()
        .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toList())));
  }

  /** Returns the proofs of a request; empty if it needed none. */
  public List<Authorization> of(RegistrationId request) {
    return sql.run("the authorizations cannot be read", jdbc -> of(jdbc, request));
  }

  /**
   * Has a pending proof looked for at once.
   *
   * @return whether this call did; not if it was begun before, or too many of its account run
   */
  public boolean begin(
      CertificateRequest request, int number, String method, String thumbprint, Instant now) {
    return sql.run(
            "the challenge cannot be recorded",
            jdbc ->
                jdbc.sql(BEGIN)
                    .params(method, thumbprint, PostgresRequestStore.time(now))
                    .params(PostgresRequestStore.octets(request.id()), number)
                    .params(PostgresRequestStore.octets(request.actor()), RUNNING_MAX, RUNNING_MAX)
                    .params(request.endpoint().value(), ENDPOINT_MAX, ENDPOINT_MAX)
                    .params(NETWORK_MAX, NETWORK_MAX)
                    .update())
        == 1;
  }

  /** Gives a proof up, and its request with it unless that has its CSR. */
  public void deactivate(RegistrationId request, int number) {
    int _ =
        sql.run(
            "the authorization cannot be recorded",
            jdbc ->
                jdbc.sql(DEACTIVATE).params(PostgresRequestStore.octets(request), number).update());
  }

  /**
   * Claims proofs whose time has come.
   *
   * @param shares what this node looks at, and may look at
   * @param lease after which another node may claim what has no verdict yet
   */
  public List<Due> claim(int max, Shares shares, Instant now, Duration lease) {
    Shares.Of<RegistrationId> actors = shares.actors();
    Shares.Of<String> networks = shares.networks();
    Shares.Of<String> endpoints = shares.endpoints();
    return sql.run(
        "the proofs cannot be claimed",
        jdbc ->
            jdbc.sql(CLAIM)
                .params(PostgresRequestStore.time(now), octets(actors.full()))
                .params(texts(endpoints.full()), texts(networks.full()))
                .param(DUE_MAX)
                .params(octets(actors.keys()), counts(actors), actors.max())
                .params(texts(networks.keys()), counts(networks), networks.max())
                .params(texts(endpoints.keys()), counts(endpoints), endpoints.max())
                .param(max)
                .params(PostgresRequestStore.time(now))
                .params(PostgresRequestStore.time(now.plus(lease)))
                .query(
                    (row, number) ->
                        new Due(
                            PostgresRequestStore.request(row, number),
                            row.getInt("number"),
                            row.getString("token"),
                            row.getString("method"),
                            row.getString("thumbprint"),
                            row.getInt("attempts"),
                            Optional.ofNullable(row.getString("network"))))
                .list());
  }

  private static SqlArrayValue octets(List<RegistrationId> ids) {
    Object[] octets = ids.stream().map(PostgresRequestStore::octets).toArray(byte[][]::new);
    return new SqlArrayValue("bytea", octets);
  }

  private static SqlArrayValue texts(List<String> texts) {
    return new SqlArrayValue("text", texts.toArray());
  }

  private static SqlArrayValue counts(Shares.Of<?> of) {
    return new SqlArrayValue("integer", of.counts().toArray());
  }

  /** Returns whether an account has proven names, each in an order that has not expired. */
  public boolean hasProven(RegistrationId actor, List<Identifier> names, Instant now) {
    return sql.run(
            "the authorizations cannot be read",
            jdbc ->
                jdbc.sql(PROVEN)
                    .params(PostgresRequestStore.octets(actor), PostgresRequestStore.time(now))
                    .param(PostgresRequestStore.texts(names))
                    .query(Long.class)
                    .single())
        == names.stream().distinct().count();
  }

  /** The proof is there. */
  public void valid(Due due, Instant now) {
    int _ =
        sql.run(
            "the proof cannot be recorded",
            jdbc ->
                jdbc.sql(VALID)
                    .params(PostgresRequestStore.time(now))
                    .params(PostgresRequestStore.octets(due.request().id()), due.number())
                    .update());
  }

  /**
   * The proof is not there.
   *
   * @param again when to look once more; empty for not at all
   */
  public void failed(Due due, Fault fault, Optional<Instant> again, Instant now) {
    byte[] request = PostgresRequestStore.octets(due.request().id());
    int _ =
        sql.transaction(
            "the verdict cannot be recorded",
            jdbc -> {
              int changed =
                  jdbc.sql(FAILED)
                      .params(again.isPresent() ? "processing" : "invalid")
                      .param(again.map(PostgresRequestStore::time).orElse(null))
                      .params(fault.kind(), fault.detail())
                      .params(request, due.number())
                      .update();
              return again.isPresent()
                  ? changed
                  : jdbc.sql(SHORTEN)
                      .params(PostgresRequestStore.time(now.plus(FAILED_KEPT)), request)
                      .update();
            });
  }

  private static Authorization authorization(ResultSet row) throws SQLException {
    @Nullable String faultKind = row.getString("fault_kind");
    Status status = Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT));
    // Found before nodes recorded the time: without one.
    Optional<Instant> validatedAt =
        status == Status.VALID && row.getObject("next_at") != null
            ? Optional.of(LedgerColumns.instant(row, "next_at"))
            : Optional.empty();
    return new Authorization(
        row.getInt("number"),
        row.getString("token"),
        status,
        Optional.ofNullable(row.getString("method")),
        faultKind == null
            ? Optional.empty()
            : Optional.of(new Fault(faultKind, row.getString("fault_detail"))),
        validatedAt);
  }
}
