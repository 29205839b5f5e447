package org.sluiceca.api.registration.store;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.sql.ResultSet;
import java.sql.SQLException;
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
 * The proofs of names in PostgreSQL: each change is one conditional statement. {@link ProofQueue}
 * has those that are looked for. Thread-safe; blocks for a statement and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the database does not answer.
 */
public final class AuthorizationStore {

  /** How many proofs of one account are looked for at once or wait for it. */
  public static final int RUNNING_MAX = 200;

  /** The same of one endpoint, so that each endpoint's are among those that a claim considers. */
  public static final int ENDPOINT_MAX = 2_000;

  /** The same of accounts from one network: several of them share {@link #ENDPOINT_MAX}. */
  public static final int NETWORK_MAX = 400;

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

  /** Keeps when the proof was found; of one that was still looked for the time is another. */
  private static final String DEACTIVATE =
      """
      UPDATE request_authorization
      SET status = 'deactivated', next_at = CASE WHEN status = 'valid' THEN next_at END
      WHERE request = ? AND number = ? AND status IN ('pending', 'processing', 'valid')
      """;

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

  static void insert(
      JdbcClient jdbc,
      CertificateRequest request,
      Optional<String> network,
      List<Authorization> proofs) {
    int _ =
        jdbc.sql(INSERT)
            .params(RequestRow.octets(request.id()))
            .params(RequestRow.octets(request.actor()), request.endpoint().value())
            .param(network.orElse(null))
            .param(
                new SqlArrayValue(
                    "smallint", proofs.stream().map(proof -> (short) proof.number()).toArray()))
            .param(new SqlArrayValue("text", proofs.stream().map(Authorization::token).toArray()))
            .update();
  }

  static List<Authorization> of(JdbcClient jdbc, RegistrationId request) {
    return jdbc.sql(OF)
        .param(RequestRow.octets(request))
        .query((row, number) -> authorization(row))
        .list();
  }

  /** Returns the proofs of these requests; none of those that needed none. */
  static Map<RegistrationId, List<Authorization>> ofAll(
      JdbcClient jdbc, List<RegistrationId> requests) {
    Object[] ids = requests.stream().map(RequestRow::octets).toArray(byte[][]::new);
    return jdbc
        .sql(OF_ALL)
        .param(new SqlArrayValue("bytea", ids))
        .query((row, number) -> Map.entry(RequestRow.id(row, "request"), authorization(row)))
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
                    .params(method, thumbprint, RequestRow.time(now))
                    .params(RequestRow.octets(request.id()), number)
                    .params(RequestRow.octets(request.actor()), RUNNING_MAX, RUNNING_MAX)
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
            jdbc -> jdbc.sql(DEACTIVATE).params(RequestRow.octets(request), number).update());
  }

  /** Returns whether an account has proven names, each in an order that has not expired. */
  public boolean hasProven(RegistrationId actor, List<Identifier> names, Instant now) {
    return sql.run(
            "the authorizations cannot be read",
            jdbc ->
                jdbc.sql(PROVEN)
                    .params(RequestRow.octets(actor), RequestRow.time(now))
                    .param(RequestRow.texts(names))
                    .query(Long.class)
                    .single())
        == names.stream().distinct().count();
  }

  private static Authorization authorization(ResultSet row) throws SQLException {
    @Nullable String faultKind = row.getString("fault_kind");
    Status status = Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT));
    // Found before nodes recorded the time: without one.
    Optional<Instant> validatedAt =
        (status == Status.VALID || status == Status.DEACTIVATED) && row.getObject("next_at") != null
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
