package org.sluiceca.api.acme.binding.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.platform.secret.SecretKeys;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.name.NameSpace;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Bindings in PostgreSQL; their keys are encrypted there. Thread-safe; blocks for a statement and
 * throws {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the database does not
 * answer.
 */
public final class BindingStore {

  /** The columns that {@link #binding} reads, of the table {@code b}. */
  public static final String COLUMNS =
      "b.kid, b.endpoint, b.requester, b.names, b.profiles, b.is_single, b.created_by,"
          + " b.created_at AS bound_at, b.expires_at, b.revoked_at";

  private static final String INSERT =
      "INSERT INTO acme_binding (kid, endpoint, requester, names, profiles, hmac_key, is_single,"
          + " created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private static final String FIND =
      "SELECT " + COLUMNS + ", b.hmac_key FROM acme_binding b WHERE b.kid = ?";

  private static final String LIST =
      "SELECT "
          + COLUMNS
          + " FROM acme_binding b WHERE (b.created_at, b.kid) > (?, ?)"
          + " ORDER BY b.created_at, b.kid LIMIT ?";

  private static final String REVOKE =
      "UPDATE acme_binding SET revoked_at = coalesce(revoked_at, now()) WHERE kid = ?";

  /** A binding and its key. */
  public record Keyed(Binding binding, OctetString hmacKey) {}

  private final LedgerSql sql;
  private final SecretKeys keys;

  /** Keeps bindings in a database that was migrated, encrypted by {@code keys}. */
  public BindingStore(LedgerDatabase database, SecretKeys keys) {
    this.sql = database.sql();
    this.keys = keys;
  }

  /** Makes a binding durable. */
  public void add(Binding binding, OctetString hmacKey) {
    int _ =
        sql.run(
            "the binding cannot be recorded",
            jdbc ->
                jdbc.sql(INSERT)
                    .params(binding.kid(), binding.endpoint().value(), binding.requester().value())
                    .params(new SqlArrayValue("text", binding.names().patterns().toArray()))
                    .params(
                        new SqlArrayValue(
                            "text",
                            binding.profiles().stream().map(ProfileName::value).sorted().toArray()))
                    .params(keys.seal(row(binding.kid()), hmacKey).octets(), binding.isSingle())
                    .params(binding.createdBy(), time(binding.createdAt()))
                    .params(time(binding.expiresAt()))
                    .update());
  }

  /** Returns a binding with its key. */
  public Optional<Keyed> find(String kid) {
    return sql.run(
        "the binding cannot be read",
        jdbc ->
            jdbc.sql(FIND)
                .param(kid)
                .query(
                    (row, number) ->
                        new Keyed(
                            binding(row),
                            keys.open(
                                row(row.getString("kid")),
                                OctetString.copyOf(row.getBytes("hmac_key")))))
                .optional());
  }

  /**
   * Returns bindings, oldest first.
   *
   * @param after the place of the last of the page before
   */
  public List<Binding> page(Instant createdAfter, String after, int max) {
    return sql.run(
        "the bindings cannot be read",
        jdbc ->
            jdbc.sql(LIST)
                .params(time(createdAfter), after, max)
                .query((row, number) -> binding(row))
                .list());
  }

  /** Revokes a binding; its accounts get no more certificates. Returns whether there is one. */
  public boolean revoke(String kid) {
    return sql.run("the binding cannot be revoked", jdbc -> jdbc.sql(REVOKE).param(kid).update())
        == 1;
  }

  /** Reads {@link #COLUMNS}. */
  public static Binding binding(ResultSet row) throws SQLException {
    OffsetDateTime revokedAt = row.getObject("revoked_at", OffsetDateTime.class);
    return new Binding(
        row.getString("kid"),
        new EndpointName(row.getString("endpoint")),
        new RequesterId(row.getString("requester")),
        new NameSpace(List.of((String[]) row.getArray("names").getArray())),
        Arrays.stream((String[]) row.getArray("profiles").getArray())
            .map(ProfileName::new)
            .collect(Collectors.toUnmodifiableSet()),
        row.getBoolean("is_single"),
        row.getString("created_by"),
        LedgerColumns.instant(row, "bound_at"),
        LedgerColumns.instant(row, "expires_at"),
        Optional.ofNullable(revokedAt).map(OffsetDateTime::toInstant));
  }

  private static String row(String kid) {
    return "acme_binding " + kid;
  }

  private static OffsetDateTime time(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
