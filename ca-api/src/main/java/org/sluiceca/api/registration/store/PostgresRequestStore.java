package org.sluiceca.api.registration.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.Identifier;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.RequestStore;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.jdbc.support.SqlArrayValue;

/** {@link RequestStore} in PostgreSQL: each change is one conditional statement by primary key. */
public final class PostgresRequestStore implements RequestStore {

  private static final String COLUMNS =
      "id, endpoint, requester, actor, profile, identifiers, created_at, expires_at, csr, serial,"
          + " refusal, refusal_detail";

  /** Each is some hundred octets, until it has expired and was removed. */
  public static final int OPEN_MAX = 10_000;

  private static final String INSERT =
      """
      INSERT INTO certificate_request
        (id, endpoint, requester, actor, profile, identifiers, created_at, expires_at)
      SELECT ?, ?, n.requester, ?, ?, ?, ?, ?
      FROM (SELECT ? AS requester) AS n
      WHERE (SELECT count(*) FROM (SELECT FROM certificate_request o
                                   WHERE o.requester = n.requester AND o.csr IS NULL LIMIT ?) open) < ?
      """;

  private static final String FIND = "SELECT " + COLUMNS + " FROM certificate_request WHERE id = ?";

  private static final String FIND_SERIAL =
      "SELECT " + COLUMNS + " FROM certificate_request WHERE serial = ? LIMIT 1";

  private static final String FINALIZE =
      "UPDATE certificate_request SET csr = ?, finalized_at = ?"
          + " WHERE id = ? AND csr IS NULL AND expires_at > ?";

  private static final String RECORDED =
      "UPDATE certificate_request SET serial = ?, refusal = NULL, refusal_detail = NULL"
          + " WHERE id = ? AND csr IS NOT NULL AND serial IS NULL";

  private static final String REFUSE =
      "UPDATE certificate_request SET refusal = ?, refusal_detail = ?"
          + " WHERE id = ? AND csr IS NOT NULL AND serial IS NULL AND refusal IS NULL";

  private static final String UNRECORDED =
      "SELECT "
          + COLUMNS
          + " FROM certificate_request WHERE csr IS NOT NULL AND serial IS NULL AND refusal IS NULL"
          + " AND finalized_at < ? ORDER BY finalized_at LIMIT ?";

  private static final String OF_ACTOR =
      "SELECT "
          + COLUMNS
          + " FROM certificate_request WHERE actor = ? AND (created_at, id) > (?, ?)"
          + " ORDER BY created_at, id LIMIT ?";

  private static final String REMOVE_OVER =
      """
      DELETE FROM certificate_request WHERE id IN (
        SELECT r.id FROM certificate_request r
        WHERE r.created_at < ? AND (r.serial IS NOT NULL OR r.refusal IS NOT NULL)
        ORDER BY r.created_at LIMIT ?)
      """;

  private static final String REMOVE_EXPIRED =
      """
      DELETE FROM certificate_request WHERE csr IS NULL AND id IN (
        SELECT r.id FROM certificate_request r
        WHERE r.csr IS NULL AND r.expires_at < ?
        ORDER BY r.expires_at LIMIT ?)
      """;

  private final LedgerSql sql;

  /** Keeps requests in a database that was migrated. */
  public PostgresRequestStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  @Override
  public boolean add(CertificateRequest request) {
    return sql.run(
            "the request cannot be recorded",
            jdbc ->
                jdbc.sql(INSERT)
                    .params(octets(request.id()), request.endpoint().value())
                    .params(octets(request.actor()), request.profile().value())
                    .params(texts(request.identifiers()))
                    .params(time(request.createdAt()), time(request.expiresAt()))
                    .params(request.requester().value(), OPEN_MAX, OPEN_MAX)
                    .update())
        == 1;
  }

  @Override
  public Optional<CertificateRequest> find(RegistrationId id) {
    return sql.run(
        "the request cannot be read",
        jdbc -> jdbc.sql(FIND).param(octets(id)).query(PostgresRequestStore::request).optional());
  }

  /** Returns the request that a certificate came from. */
  public Optional<CertificateRequest> findBySerial(SerialNumber serialNumber) {
    return sql.run(
        "the request cannot be read",
        jdbc ->
            jdbc.sql(FIND_SERIAL)
                .param(serialNumber.octets())
                .query(PostgresRequestStore::request)
                .optional());
  }

  /**
   * Returns requests of one actor, oldest first.
   *
   * @param after the last of the page before; empty for the first page
   */
  public List<CertificateRequest> ofActor(
      RegistrationId actor, Optional<CertificateRequest> after, int max) {
    Instant from = after.map(CertificateRequest::createdAt).orElse(Instant.EPOCH);
    byte[] id = after.map(request -> octets(request.id())).orElse(new byte[0]);
    return sql.run(
        "the requests cannot be read",
        jdbc ->
            jdbc.sql(OF_ACTOR)
                .params(octets(actor), time(from), id, max)
                .query(PostgresRequestStore::request)
                .list());
  }

  @Override
  public boolean finalizeBy(RegistrationId id, CsrDer csr, Instant now) {
    return sql.run(
            "the CSR cannot be recorded",
            jdbc ->
                jdbc.sql(FINALIZE).params(csr.encoded(), time(now), octets(id), time(now)).update())
        == 1;
  }

  @Override
  public void recorded(RegistrationId id, SerialNumber serialNumber) {
    int _ =
        sql.run(
            "the serial number cannot be noted",
            jdbc -> jdbc.sql(RECORDED).params(serialNumber.octets(), octets(id)).update());
  }

  @Override
  public void refuse(RegistrationId id, Refusal refusal) {
    int _ =
        sql.run(
            "the refusal cannot be recorded",
            jdbc ->
                jdbc.sql(REFUSE)
                    .params(refusal.kind().stored(), refusal.detail(), octets(id))
                    .update());
  }

  @Override
  public List<CertificateRequest> unrecorded(Instant before, int max) {
    return sql.run(
        "the requests cannot be read",
        jdbc ->
            jdbc.sql(UNRECORDED)
                .params(time(before), max)
                .query(PostgresRequestStore::request)
                .list());
  }

  /**
   * Removes requests that are over and older than {@code age}, and those that got no CSR in time,
   * {@code max} of each at most; returns how many.
   */
  public int remove(Duration age, Instant now, int max) {
    return sql.run(
        "old requests cannot be removed",
        jdbc -> {
          int over = jdbc.sql(REMOVE_OVER).params(time(now.minus(age)), max).update();
          return over + jdbc.sql(REMOVE_EXPIRED).params(time(now), max).update();
        });
  }

  private static CertificateRequest request(ResultSet row, int number) throws SQLException {
    return new CertificateRequest(
        id(row, "id"),
        new EndpointName(row.getString("endpoint")),
        new RequesterId(row.getString("requester")),
        id(row, "actor"),
        new ProfileName(row.getString("profile")),
        identifiers(row),
        LedgerColumns.instant(row, "created_at"),
        LedgerColumns.instant(row, "expires_at"),
        state(row));
  }

  private static RequestState state(ResultSet row) throws SQLException {
    byte @Nullable [] serial = row.getBytes("serial");
    String refusal = row.getString("refusal");
    byte @Nullable [] csr = row.getBytes("csr");
    if (csr == null) {
      return new RequestState.Ready();
    }
    CsrDer sent = CsrDer.of(csr);
    if (serial != null) {
      return new RequestState.Recorded(sent, SerialNumber.of(serial));
    }
    if (refusal != null) {
      return new RequestState.Refused(
          sent,
          new Refusal(
              Refusal.Kind.valueOf(refusal.toUpperCase(Locale.ROOT)),
              row.getString("refusal_detail")));
    }
    return new RequestState.Finalized(sent);
  }

  private static List<Identifier> identifiers(ResultSet row) throws SQLException {
    return Arrays.stream((String[]) row.getArray("identifiers").getArray())
        .map(
            text -> {
              int colon = text.indexOf(':');
              return Identifier.parse(text.substring(0, colon), text.substring(colon + 1))
                  .orElseThrow(
                      () -> new IllegalStateException("the database's own identifier is none"));
            })
        .toList();
  }

  private static SqlArrayValue texts(List<Identifier> identifiers) {
    return new SqlArrayValue(
        "text", identifiers.stream().map(i -> i.type() + ":" + i.value()).toArray());
  }

  private static RegistrationId id(ResultSet row, String column) throws SQLException {
    return new RegistrationId(OctetString.copyOf(row.getBytes(column)));
  }

  private static byte[] octets(RegistrationId id) {
    return id.octets().octets();
  }

  private static OffsetDateTime time(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
