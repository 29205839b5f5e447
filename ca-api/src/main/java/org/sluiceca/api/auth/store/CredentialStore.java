package org.sluiceca.api.auth.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The credentials of the requesters. Thread-safe; every method blocks for at most a few seconds and
 * throws {@link LedgerUnavailable} if the database does not answer.
 */
public final class CredentialStore {

  /** When the key of a client certificate was reported as compromised, which ends it, too. */
  private static final String COMPROMISED_AT =
      """
      (SELECT min(k.recorded_at) FROM (
         SELECT c.recorded_at FROM compromised_key c WHERE c.spki_sha256 = credential.sha256
         UNION ALL
         SELECT c.recorded_at FROM compromised_key_claim c
         WHERE c.spki_sha256 = credential.sha256 AND c.requester = credential.requester) AS k
       WHERE credential.kind = 'certificate')\
      """;

  /** By its primary key, and only for what came by a rotation. */
  private static final String REPLACES =
      """
      (SELECT p.id FROM credential p
       WHERE p.id = credential.rotated_from AND p.revoked_at IS NULL AND p.expires_at > now())\
      """;

  private static final String COLUMNS =
      "id, requester, kind, sha256, roles, profiles, created_at, expires_at, coalesce(revoked_at, "
          + COMPROMISED_AT
          + ") AS revoked_at, rotated_from, "
          + REPLACES
          + " AS replaces";

  private static final String INSERT =
      String.format(
          Locale.ROOT,
          """
          INSERT INTO credential (requester, kind, sha256, roles, profiles, expires_at)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (sha256) DO NOTHING
          RETURNING %s
          """,
          COLUMNS);

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM credential WHERE sha256 = ? AND kind = ?";

  private static final String LIST =
      "SELECT " + COLUMNS + " FROM credential WHERE requester = ? ORDER BY created_at, id LIMIT ?";

  private static final String PAGE =
      "SELECT "
          + COLUMNS
          + ", (SELECT u.used_at FROM credential_use u WHERE u.credential = credential.id)"
          + " AS last_used_at"
          + " FROM credential WHERE (requester, created_at, id) > (?, ?, ?)"
          + " ORDER BY requester, created_at, id LIMIT ?";

  private static final String PRIVILEGED = "roles && '{admin,officer}'";

  /** Aggregates, so that its answer is whole however many credentials an id has had. */
  private static final String HISTORY =
      String.format(
          Locale.ROOT,
          """
          SELECT count(*) > 0 AS is_known,
            coalesce(bool_or(%1$s), false) AS was_privileged,
            coalesce(bool_or(is_valid AND roles @> '{admin}'), false) AS is_admin,
            coalesce(bool_or(is_valid AND %1$s), false) AS is_privileged,
            coalesce(bool_or(is_valid AND NOT %1$s), false) AS has_ordinary
          FROM (SELECT roles, revoked_at IS NULL AND expires_at > now() AND %2$s IS NULL AS is_valid
                FROM credential WHERE requester = ?) of_one
          """,
          PRIVILEGED,
          COMPROMISED_AT);

  /** Held until the end of the transaction; its first number keeps it apart from other locks. */
  private static final String LOCK_IDENTITY =
      String.format(Locale.ROOT, "SELECT pg_advisory_xact_lock(%d, hashtext(?))", 0x43524544);

  private static final String GRANTS =
      "SELECT EXISTS (SELECT FROM credential WHERE requester = ? AND revoked_at IS NULL"
          + " AND roles @> '{requester}' AND profiles @> ARRAY[?]::text[] AND "
          + COMPROMISED_AT
          + " IS NULL)";

  private static final String IS_COMPROMISED =
      "SELECT EXISTS (SELECT FROM compromised_key WHERE spki_sha256 = ?)"
          + " OR EXISTS (SELECT FROM compromised_key_claim WHERE spki_sha256 = ?)";

  private static final String REQUESTER = "SELECT requester FROM credential WHERE id = ?";

  /** It and all that come from the same registration by rotation. */
  private static final String REVOKE =
      """
      WITH root AS (SELECT coalesce(c.rotation_root, c.id) AS id FROM credential c WHERE c.id = ?)
      UPDATE credential SET revoked_at = now()
      WHERE revoked_at IS NULL
        AND (id = (SELECT r.id FROM root r) OR rotation_root = (SELECT r.id FROM root r))
      """;

  /**
   * The most credentials that an administrator reads at once; more would be a report, not a list.
   */
  private static final int LIST_MAX = 10_000;

  private final LedgerDatabase database;
  private final LedgerSql sql;

  /** Keeps credentials in a database that was migrated. */
  public CredentialStore(LedgerDatabase database) {
    this.database = database;
    this.sql = database.sql();
  }

  /** A new credential; see {@link RegisteredCredential}. */
  public record NewCredential(RequesterId requester, Kind kind, OctetString sha256, Grant grant) {}

  /**
   * The credentials that a requester id has and had.
   *
   * @param isKnown whether it ever had any
   * @param wasPrivileged whether one ever had the role admin or officer
   * @param isAdmin whether a valid one has the role admin
   * @param isPrivileged whether a valid one has the role admin or officer
   * @param hasOrdinary whether a valid one has neither
   */
  public record IdentityHistory(
      boolean isKnown,
      boolean wasPrivileged,
      boolean isAdmin,
      boolean isPrivileged,
      boolean hasOrdinary) {}

  /** The result of a registration. */
  public sealed interface Insertion {

    /** It is registered. */
    record Inserted(RegisteredCredential credential) implements Insertion {}

    /** Its hash is registered already; nothing has changed. */
    record KeyTaken() implements Insertion {}

    /** The id's history does not allow it; nothing has changed. */
    record Disallowed() implements Insertion {}
  }

  /**
   * A place in the list of all credentials, which is in the order of these.
   *
   * @param createdAt to the microsecond
   */
  public record Position(String requester, Instant createdAt, UUID id) {

    /** Before the first. */
    public static final Position START = new Position("", Instant.EPOCH, new UUID(0, 0));
  }

  /**
   * A credential in the list.
   *
   * @param lastUsedAt the beginning of the hour in which it last authenticated a request; empty if
   *     it never did, or not since this is recorded
   */
  public record ListedCredential(RegisteredCredential credential, Optional<Instant> lastUsedAt) {}

  /** Returns what credentials this id has and had. */
  public IdentityHistory history(RequesterId requester) {
    return sql.run("the credentials cannot be read", jdbc -> history(jdbc, requester));
  }

  /**
   * Registers a credential if the history of its id allows it. Of several at once for one id, on
   * whatever nodes, each sees those before it.
   */
  public Insertion insertIf(NewCredential credential, Predicate<IdentityHistory> isAllowed) {
    return sql.transaction(
        "the credential cannot be registered",
        jdbc -> {
          lockIdentity(jdbc, credential.requester());
          if (!isAllowed.test(history(jdbc, credential.requester()))) {
            return new Insertion.Disallowed();
          }
          return insert(jdbc, credential)
              .<Insertion>map(Insertion.Inserted::new)
              .orElseGet(Insertion.KeyTaken::new);
        });
  }

  /**
   * Returns whether an administrator's grant of this profile stands: a credential of this requester
   * that was given it and was never revoked. One that has expired still counts: what ends with its
   * date is the secret, and what ends the grant is its revocation.
   */
  public boolean grants(RequesterId requester, ProfileName profile) {
    return sql.run(
        "the credentials cannot be read",
        jdbc ->
            jdbc.sql(GRANTS)
                .params(requester.value(), profile.value())
                .query(Boolean.class)
                .single());
  }

  /** Returns whether anybody has reported a key as compromised, by SHA-256 of its encoding. */
  public boolean isCompromised(OctetString spkiSha256) {
    byte[] sha256 = spkiSha256.octets();
    return sql.run(
        "the compromised keys cannot be read",
        jdbc -> jdbc.sql(IS_COMPROMISED).params(sha256, sha256).query(Boolean.class).single());
  }

  private static IdentityHistory history(JdbcClient jdbc, RequesterId requester) {
    return jdbc.sql(HISTORY)
        .param(requester.value())
        .query(
            (row, number) ->
                new IdentityHistory(
                    row.getBoolean("is_known"),
                    row.getBoolean("was_privileged"),
                    row.getBoolean("is_admin"),
                    row.getBoolean("is_privileged"),
                    row.getBoolean("has_ordinary")))
        .single();
  }

  /** Registers a credential; empty, changing nothing, if its hash is registered already. */
  public Optional<RegisteredCredential> insert(NewCredential credential) {
    return sql.run("the credential cannot be registered", jdbc -> insert(jdbc, credential));
  }

  private static Optional<RegisteredCredential> insert(JdbcClient jdbc, NewCredential credential) {
    Grant grant = credential.grant();
    return jdbc.sql(INSERT)
        .params(credential.requester().value(), column(credential.kind()))
        .params(credential.sha256().octets(), texts(grant.roles(), CredentialStore::column))
        .params(texts(grant.profiles(), ProfileName::value), time(grant.expiresAt()))
        .query(CredentialStore::credential)
        .optional();
  }

  /**
   * Returns the credential with this hash, be it valid, expired or revoked. It is looked up for
   * requests, so it is written against JDBC.
   */
  public Optional<RegisteredCredential> find(Kind kind, OctetString sha256) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setBytes(1, sha256.octets());
      statement.setString(2, column(kind));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(credential(row, 0)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the credential cannot be read", e);
    }
  }

  /** Returns a requester's credentials, oldest first. */
  public List<RegisteredCredential> list(RequesterId requester) {
    return sql.run(
        "the credentials cannot be read",
        jdbc ->
            jdbc.sql(LIST)
                .params(requester.value(), LIST_MAX)
                .query(CredentialStore::credential)
                .list());
  }

  /**
   * Returns every requester's credentials, by requester, oldest first.
   *
   * @param after from here on; {@link Position#START} for the first page
   * @param limit at least 1
   */
  public List<ListedCredential> page(Position after, int limit) {
    return sql.run(
        "the credentials cannot be read",
        jdbc ->
            jdbc.sql(PAGE)
                .params(after.requester(), time(after.createdAt()), after.id(), limit)
                .query(
                    (row, number) ->
                        new ListedCredential(
                            credential(row, number), optional(row, "last_used_at")))
                .list());
  }

  /**
   * Revokes a credential for good, and with it every token that comes from the same registration by
   * rotation: one that was stolen may have been rotated by the thief. Again: changes nothing.
   *
   * @return whether there is one of this id
   */
  public boolean revoke(UUID id) {
    return sql.transaction(
        "the credential cannot be revoked",
        jdbc -> {
          Optional<String> requester = jdbc.sql(REQUESTER).param(id).query(String.class).optional();
          if (requester.isEmpty()) {
            return false;
          }
          // No rotation on another node adds one meanwhile.
          lockIdentity(jdbc, new RequesterId(requester.get()));
          jdbc.sql(REVOKE).param(id).update();
          return true;
        });
  }

  /** Waits for other changes of this requester's credentials, until the transaction ends. */
  static void lockIdentity(JdbcClient jdbc, RequesterId requester) {
    jdbc.sql(LOCK_IDENTITY).param(requester.value()).query(row -> {});
  }

  private static RegisteredCredential credential(ResultSet row, int number) throws SQLException {
    return new RegisteredCredential(
        row.getObject("id", UUID.class),
        new RequesterId(row.getString("requester")),
        Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
        OctetString.copyOf(row.getBytes("sha256")),
        new Grant(
            values(row, "roles", t -> Role.valueOf(t.toUpperCase(Locale.ROOT))),
            values(row, "profiles", ProfileName::new),
            LedgerColumns.instant(row, "expires_at")),
        LedgerColumns.instant(row, "created_at"),
        optional(row, "revoked_at"),
        Optional.ofNullable(row.getObject("rotated_from", UUID.class)),
        Optional.ofNullable(row.getObject("replaces", UUID.class)));
  }

  private static Optional<Instant> optional(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static String column(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static OffsetDateTime time(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static <T> SqlArrayValue texts(Set<T> values, Function<T, String> text) {
    return new SqlArrayValue("text", values.stream().map(text).sorted().toArray());
  }

  private static <T> Set<T> values(ResultSet row, String column, Function<String, T> value)
      throws SQLException {
    return Arrays.stream((String[]) row.getArray(column).getArray())
        .map(value)
        .collect(Collectors.toUnmodifiableSet());
  }
}
