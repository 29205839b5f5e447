package org.sluiceca.api.auth.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The credentials of the requesters. Thread-safe; every method blocks for at most a few seconds and
 * throws {@link LedgerUnavailable} if the database does not answer.
 */
public final class CredentialStore {

  private static final String INSERT =
      String.format(
          Locale.ROOT,
          """
          INSERT INTO credential (requester, kind, sha256, roles, profiles, expires_at)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (sha256) DO NOTHING
          RETURNING %s
          """,
          CredentialColumns.COLUMNS);

  private static final String FIND =
      "SELECT " + CredentialColumns.COLUMNS + " FROM credential WHERE sha256 = ? AND kind = ?";

  private static final String FIND_ID =
      "SELECT " + CredentialColumns.COLUMNS + " FROM credential WHERE id = ?";

  private static final String LIST =
      "SELECT "
          + CredentialColumns.COLUMNS
          + " FROM credential WHERE requester = ? ORDER BY created_at, id LIMIT ?";

  private static final String PAGE =
      "SELECT "
          + CredentialColumns.COLUMNS
          + ", (SELECT u.used_at FROM credential_use u WHERE u.credential = credential.id)"
          + " AS last_used_at"
          + " FROM credential WHERE (requester, created_at, id) > (?, ?, ?)"
          + " ORDER BY requester, created_at, id LIMIT ?";

  /** Held until the end of the transaction; its first number keeps it apart from other locks. */
  private static final String LOCK_IDENTITY =
      String.format(Locale.ROOT, "SELECT pg_advisory_xact_lock(%d, hashtext(?))", 0x43524544);

  private static final String GRANTS =
      "SELECT EXISTS (SELECT FROM credential WHERE requester = ? AND revoked_at IS NULL"
          + " AND roles @> '{requester}' AND profiles @> ARRAY[?]::text[] AND "
          + CredentialColumns.COMPROMISED_AT
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
    return sql.run("the credentials cannot be read", jdbc -> IdentityHistory.of(jdbc, requester));
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
          if (!isAllowed.test(IdentityHistory.of(jdbc, credential.requester()))) {
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

  /** Registers a credential; empty, changing nothing, if its hash is registered already. */
  public Optional<RegisteredCredential> insert(NewCredential credential) {
    return sql.run("the credential cannot be registered", jdbc -> insert(jdbc, credential));
  }

  private static Optional<RegisteredCredential> insert(JdbcClient jdbc, NewCredential credential) {
    Grant grant = credential.grant();
    return jdbc.sql(INSERT)
        .params(credential.requester().value(), CredentialColumns.column(credential.kind()))
        .params(
            credential.sha256().octets(),
            CredentialColumns.texts(grant.roles(), CredentialColumns::column))
        .params(
            CredentialColumns.texts(grant.profiles(), ProfileName::value),
            CredentialColumns.time(grant.expiresAt()))
        .query(CredentialColumns::credential)
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
      statement.setString(2, CredentialColumns.column(kind));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(CredentialColumns.credential(row, 0)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the credential cannot be read", e);
    }
  }

  /** Returns the credential of this id, be it valid, expired or revoked. */
  public Optional<RegisteredCredential> find(UUID id) {
    return sql.run(
        "the credential cannot be read",
        jdbc -> jdbc.sql(FIND_ID).param(id).query(CredentialColumns::credential).optional());
  }

  /** Returns a requester's credentials, oldest first. */
  public List<RegisteredCredential> list(RequesterId requester) {
    return sql.run(
        "the credentials cannot be read",
        jdbc ->
            jdbc.sql(LIST)
                .params(requester.value(), LIST_MAX)
                .query(CredentialColumns::credential)
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
                .params(
                    after.requester(), CredentialColumns.time(after.createdAt()), after.id(), limit)
                .query(
                    (row, number) ->
                        new ListedCredential(
                            CredentialColumns.credential(row, number),
                            CredentialColumns.optional(row, "last_used_at")))
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
}
