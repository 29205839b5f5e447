package org.sluiceca.api.registration.store;

import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.RequestStore;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

/** {@link RequestStore} in PostgreSQL: each change is one conditional statement by primary key. */
public final class PostgresRequestStore implements RequestStore {

  /** Each is some hundred octets, until it has expired and was removed. */
  public static final int OPEN_MAX = 10_000;

  /** One account leaves room for the others of its requester. */
  public static final int OPEN_OF_ACTOR_MAX = 1_000;

  /** Where names have to be proven, an account may cost its client nothing. */
  public static final int UNPROVEN_OF_ACTOR_MAX = 100;

  /** The same of accounts from one network: ten networks at least share {@link #OPEN_MAX}. */
  public static final int OPEN_OF_NETWORK_MAX = 1_000;

  /** Where names have to be proven, of one account within an hour, whatever came of them. */
  public static final int UNPROVEN_IN_HOUR_MAX = 300;

  /** Of one account within an hour: each stays for months with its CSR, up to 48 KB. */
  public static final int REFUSED_IN_HOUR_MAX = 100;

  private static final String INSERT =
      """
      INSERT INTO certificate_request
        (id, endpoint, requester, actor, profile, identifiers, created_at, expires_at, replaces,
         has_proofs, network)
      SELECT ?, ?, n.requester, n.actor, ?, ?, ?, ?, ?, n.has_proofs, n.network
      FROM (SELECT ?::boolean AS has_proofs, ?::text AS network, ? AS requester, ? AS actor) AS n
      WHERE (SELECT count(*) FROM (SELECT FROM certificate_request o
                                   WHERE o.requester = n.requester AND o.csr IS NULL
                                     AND o.expires_at > now() LIMIT ?) open) < ?
        AND (SELECT count(*) FROM (SELECT FROM certificate_request o
                                   WHERE o.actor = n.actor AND o.csr IS NULL
                                     AND o.expires_at > now() LIMIT ?) own) < ?
        AND (n.network IS NULL OR
             (SELECT count(*) FROM (SELECT FROM certificate_request o
                                    WHERE o.requester = n.requester AND o.network = n.network
                                      AND o.csr IS NULL AND o.expires_at > now() LIMIT ?) near) < ?)
        AND (NOT n.has_proofs OR
             (SELECT count(*) FROM (SELECT FROM certificate_request o
                                    WHERE o.actor = n.actor
                                      AND o.created_at > now() - interval '1 hour' LIMIT ?) new) < ?)
        AND (SELECT count(*) FROM (SELECT FROM certificate_request o
                                   WHERE o.actor = n.actor AND o.refusal IS NOT NULL
                                     AND o.created_at > now() - interval '1 hour' LIMIT ?) bad) < ?
      """;

  private static final String FIND =
      "SELECT " + RequestRow.COLUMNS + " FROM certificate_request WHERE id = ?";

  private static final String FINALIZE =
      "UPDATE certificate_request SET csr = ?, finalized_at = ?, tried_at = ?"
          + " WHERE id = ? AND csr IS NULL AND expires_at > ? AND NOT EXISTS (SELECT FROM"
          + " request_authorization a WHERE a.request = id AND a.status <> 'valid')"
          + " RETURNING endpoint";

  /**
   * No flush to disk: if a crash loses the serial number, the key of the request finds it again,
   * and the certificate is durable in the ledger before.
   */
  private static final String RECORDED =
      """
      WITH unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS done)
      UPDATE certificate_request SET serial = ?, refusal = NULL, refusal_detail = NULL
      FROM unflushed
      WHERE id = ? AND csr IS NOT NULL AND serial IS NULL AND done = 'off' RETURNING endpoint
      """;

  private static final String REFUSE =
      "UPDATE certificate_request SET refusal = ?, refusal_detail = ?"
          + " WHERE id = ? AND csr IS NOT NULL AND serial IS NULL AND refusal IS NULL"
          + " RETURNING endpoint";

  private static final String UNRECORDED =
      "SELECT "
          + RequestRow.COLUMNS
          + " FROM certificate_request WHERE csr IS NOT NULL AND serial IS NULL AND refusal IS NULL"
          + " AND tried_at < ? ORDER BY tried_at LIMIT ?";

  private static final String POSTPONE =
      "UPDATE certificate_request SET tried_at = ?"
          + " WHERE id = ? AND csr IS NOT NULL AND serial IS NULL AND refusal IS NULL";

  private static final String OF_ACTOR =
      "SELECT id, created_at FROM certificate_request WHERE actor = ? AND (created_at, id) > (?, ?)"
          + " ORDER BY created_at, id LIMIT ?";

  private final LedgerSql sql;
  private final RequestCounts counts;

  /** Keeps requests in a database that was migrated, and counts what becomes of them. */
  public PostgresRequestStore(LedgerDatabase database, RequestCounts counts) {
    this.sql = database.sql();
    this.counts = counts;
  }

  @Override
  public boolean add(CertificateRequest request) {
    return add(request, Optional.empty());
  }

  /**
   * Makes a new request durable, unless its requester, its account or the network of the account
   * has too many.
   *
   * @param network that the account was registered from; empty where none is counted
   * @return whether it is
   */
  public boolean add(CertificateRequest request, Optional<String> network) {
    List<Authorization> proofs =
        request.state() instanceof RequestState.Awaiting(List<Authorization> all) ? all : List.of();
    boolean isAdded =
        proofs.isEmpty()
            ? sql.run(
                "the request cannot be recorded", jdbc -> insert(jdbc, request, network, false))
            : sql.transaction(
                "the request cannot be recorded",
                jdbc -> {
                  boolean isInserted = insert(jdbc, request, network, true);
                  if (isInserted) {
                    AuthorizationStore.insert(jdbc, request, network, proofs);
                  }
                  return isInserted;
                });
    counts.count(request.endpoint().value(), isAdded ? "made" : "limited", "");
    return isAdded;
  }

  private static boolean insert(
      JdbcClient jdbc, CertificateRequest request, Optional<String> network, boolean hasProofs) {
    int ofActorMax = hasProofs ? UNPROVEN_OF_ACTOR_MAX : OPEN_OF_ACTOR_MAX;
    return jdbc.sql(INSERT)
            .params(RequestRow.octets(request.id()), request.endpoint().value())
            .param(request.profile().value())
            .params(RequestRow.texts(request.identifiers()))
            .params(RequestRow.time(request.createdAt()), RequestRow.time(request.expiresAt()))
            .param(
                new SqlParameterValue(
                    Types.BINARY, request.replaces().map(SerialNumber::octets).orElse(null)))
            .param(hasProofs)
            .param(network.orElse(null))
            .params(request.requester().value(), RequestRow.octets(request.actor()))
            .params(OPEN_MAX, OPEN_MAX, ofActorMax, ofActorMax)
            .params(OPEN_OF_NETWORK_MAX, OPEN_OF_NETWORK_MAX)
            .params(UNPROVEN_IN_HOUR_MAX, UNPROVEN_IN_HOUR_MAX)
            .params(REFUSED_IN_HOUR_MAX, REFUSED_IN_HOUR_MAX)
            .update()
        == 1;
  }

  @Override
  public Optional<CertificateRequest> find(RegistrationId id) {
    return sql.run(
        "the request cannot be read",
        jdbc ->
            jdbc.sql(FIND)
                .param(RequestRow.octets(id))
                .query(
                    (row, number) ->
                        Map.entry(RequestRow.request(row, number), row.getBoolean("has_proofs")))
                .optional()
                .map(
                    found ->
                        found.getValue() && found.getKey().state() instanceof RequestState.Ready
                            ? awaiting(jdbc, found.getKey())
                            : found.getKey()));
  }

  private static CertificateRequest awaiting(JdbcClient jdbc, CertificateRequest request) {
    List<Authorization> proofs = AuthorizationStore.of(jdbc, request.id());
    return proofs.stream().allMatch(proof -> proof.status() == Authorization.Status.VALID)
        ? request
        : request.in(new RequestState.Awaiting(proofs));
  }

  /** The place of a request in the list of its actor. */
  public record Place(Instant createdAt, RegistrationId id) {

    /** Returns the place of a request. */
    public static Place of(CertificateRequest request) {
      return new Place(request.createdAt(), request.id());
    }

    /** Before all. */
    public static final Place FIRST =
        new Place(
            Instant.EPOCH, new RegistrationId(OctetString.copyOf(new byte[RegistrationId.OCTETS])));
  }

  /** Returns requests of one actor that come after {@code after}, oldest first. */
  public List<Place> ofActor(RegistrationId actor, Place after, int max) {
    return sql.run(
        "the requests cannot be read",
        jdbc ->
            jdbc.sql(OF_ACTOR)
                .params(
                    RequestRow.octets(actor),
                    RequestRow.time(after.createdAt()),
                    RequestRow.octets(after.id()),
                    max)
                .query(
                    (row, number) ->
                        new Place(
                            LedgerColumns.instant(row, "created_at"), RequestRow.id(row, "id")))
                .list());
  }

  @Override
  public boolean finalizeBy(RegistrationId id, CsrDer csr, Instant now) {
    Optional<String> endpoint =
        sql.run(
            "the CSR cannot be recorded",
            jdbc ->
                jdbc.sql(FINALIZE)
                    .params(
                        csr.encoded(),
                        RequestRow.time(now),
                        RequestRow.time(now),
                        RequestRow.octets(id),
                        RequestRow.time(now))
                    .query(String.class)
                    .optional());
    endpoint.ifPresent(name -> counts.count(name, "finalized", ""));
    return endpoint.isPresent();
  }

  @Override
  public void recorded(RegistrationId id, SerialNumber serialNumber) {
    sql.run(
            "the serial number cannot be noted",
            jdbc ->
                jdbc.sql(RECORDED)
                    .params(serialNumber.octets(), RequestRow.octets(id))
                    .query(String.class)
                    .optional())
        .ifPresent(name -> counts.count(name, "recorded", ""));
  }

  @Override
  public void refuse(RegistrationId id, Refusal refusal) {
    sql.run(
            "the refusal cannot be recorded",
            jdbc ->
                jdbc.sql(REFUSE)
                    .params(refusal.kind().stored(), refusal.detail(), RequestRow.octets(id))
                    .query(String.class)
                    .optional())
        .ifPresent(name -> counts.count(name, "refused", refusal.kind().stored()));
  }

  @Override
  public void postpone(RegistrationId id, Instant at) {
    int _ =
        sql.run(
            "the request cannot be recorded",
            jdbc -> jdbc.sql(POSTPONE).params(RequestRow.time(at), RequestRow.octets(id)).update());
  }

  @Override
  public List<CertificateRequest> unrecorded(Instant before, int max) {
    return sql.run(
        "the requests cannot be read",
        jdbc ->
            jdbc.sql(UNRECORDED)
                .params(RequestRow.time(before), max)
                .query(RequestRow::request)
                .list());
  }
}
