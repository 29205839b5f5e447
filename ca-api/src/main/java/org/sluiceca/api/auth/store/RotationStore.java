package org.sluiceca.api.auth.store;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Tokens that replace one another. A token has one successor that was not used yet at most, and
 * ends when that is first used; a successor has its predecessor's requester, roles, profiles and
 * end, which are copied in the database. Of several changes for one requester, on whatever nodes,
 * each sees those before it. Thread-safe; every method blocks for at most a few seconds and throws
 * {@link LedgerUnavailable} if the database does not answer.
 */
public final class RotationStore {

  /**
   * Of the tokens that come from one registration, in an hour. A client that rotates once a day and
   * loses answers stays far below; a flood adds 240 rows a day.
   */
  public static final int AN_HOUR_MAX = 10;

  private static final String VALID =
      """
      FROM credential WHERE sha256 = ? AND kind = 'token' AND requester = ?
        AND revoked_at IS NULL AND expires_at > now()\
      """;

  private static final String FIND_ID = "SELECT id " + VALID;

  /** Seconds until one more is allowed, with as many in the last hour as are allowed. */
  private static final String WAIT =
      String.format(
          Locale.ROOT,
          """
          SELECT greatest(1, ceil(extract(epoch FROM r.created_at + interval '1 hour' - now())))::int
          FROM credential r
          WHERE r.rotation_root = (SELECT coalesce(c.rotation_root, c.id) FROM credential c
                                   WHERE c.id = ?)
            AND r.created_at > now() - interval '1 hour'
          ORDER BY r.created_at DESC OFFSET %d LIMIT 1
          """,
          AN_HOUR_MAX - 1);

  /** Those that were not used: the use of one ends its predecessor. */
  private static final String END_UNUSED =
      "UPDATE credential SET revoked_at = now() WHERE rotated_from = ? AND revoked_at IS NULL";

  private static final String ADD =
      """
      INSERT INTO credential (requester, kind, sha256, roles, profiles, expires_at, rotated_from,
        rotation_root)
      SELECT requester, kind, ?, roles, profiles, expires_at, id, coalesce(rotation_root, id)
      FROM credential WHERE id = ?
      RETURNING id
      """;

  private static final String END_PREDECESSOR =
      """
      UPDATE credential SET revoked_at = now()
      WHERE revoked_at IS NULL
        AND id = (SELECT c.rotated_from FROM credential c WHERE c.id = ? AND c.revoked_at IS NULL)
      """;

  private final LedgerSql sql;

  /** Works on a database that was migrated. */
  public RotationStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** The result of a rotation. */
  public sealed interface Rotation {

    /** The successor is registered. */
    record Rotated(UUID successor) implements Rotation {}

    /** The token was revoked, replaced or has expired meanwhile; nothing has changed. */
    record Ended() implements Rotation {}

    /** Its registration's tokens were rotated too often; nothing has changed. */
    record TooMany(Duration retryAfter) implements Rotation {}
  }

  /** Returns how long this token may not be rotated, because that was done too often. */
  public Optional<Duration> mustWait(UUID token) {
    return sql.run("the rotations cannot be read", jdbc -> mustWait(jdbc, token));
  }

  /**
   * Registers a successor. Those of an earlier rotation of the same token that were not used end:
   * their answers are taken for lost.
   *
   * @param old SHA-256 of the token that is to be replaced
   * @param fresh SHA-256 of the one that replaces it, which no other has
   */
  public Rotation rotate(RequesterId requester, OctetString old, OctetString fresh) {
    return sql.transaction(
        "the credential cannot be rotated",
        jdbc -> {
          CredentialStore.lockIdentity(jdbc, requester);
          Optional<UUID> token =
              jdbc.sql(FIND_ID)
                  .params(old.octets(), requester.value())
                  .query(UUID.class)
                  .optional();
          if (token.isEmpty()) {
            return new Rotation.Ended();
          }
          Optional<Duration> wait = mustWait(jdbc, token.get());
          if (wait.isPresent()) {
            return new Rotation.TooMany(wait.get());
          }
          jdbc.sql(END_UNUSED).param(token.get()).update();
          return new Rotation.Rotated(
              jdbc.sql(ADD).params(fresh.octets(), token.get()).query(UUID.class).single());
        });
  }

  private static Optional<Duration> mustWait(JdbcClient jdbc, UUID token) {
    return jdbc.sql(WAIT)
        .param(token)
        .query(Integer.class)
        .optional()
        .map(seconds -> Duration.ofSeconds(seconds));
  }

  /** Ends what this credential replaces, unless it has ended itself. Again: changes nothing. */
  public void endPredecessor(RequesterId requester, UUID successor) {
    sql.transaction(
        "the replaced credential cannot be ended",
        jdbc -> {
          CredentialStore.lockIdentity(jdbc, requester);
          return jdbc.sql(END_PREDECESSOR).param(successor).update();
        });
  }
}
