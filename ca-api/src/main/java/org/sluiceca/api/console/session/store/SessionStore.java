package org.sluiceca.api.console.session.store;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The sessions of all nodes. Only hashes of cookies are stored. Times are the database's.
 * Thread-safe; every method blocks for at most a few seconds and throws {@link LedgerUnavailable}
 * if the database does not answer.
 */
public final class SessionStore {

  /** Held until the end of the transaction, so that sessions are counted one after another. */
  private static final String LOCK =
      String.format(Locale.ROOT, "SELECT pg_advisory_xact_lock(%d, 0)", 0x434F4E53);

  private static final String REMOVE_ENDED =
      """
      DELETE FROM console_session
      WHERE seen_at < now() - ? * interval '1 second' OR created_at < now() - ? * interval '1 second'
      """;

  /** A requester's oldest, so that it keeps as many as it may have next to the new one. */
  private static final String REMOVE_EXCESS =
      """
      DELETE FROM console_session WHERE id_sha256 IN (
        SELECT s.id_sha256 FROM console_session s WHERE s.requester = ?
        ORDER BY s.created_at DESC, s.id_sha256 OFFSET ?)
      """;

  private static final String COUNT = "SELECT count(*) FROM console_session";

  private static final String ADD =
      "INSERT INTO console_session (id_sha256, credential, requester) VALUES (?, ?, ?)";

  private static final String FIND =
      """
      SELECT credential, created_at, seen_at < now() - interval '1 minute' AS is_unseen
      FROM console_session
      WHERE id_sha256 = ? AND seen_at >= now() - ? * interval '1 second'
        AND created_at >= now() - ? * interval '1 second'
      """;

  private static final String SEEN =
      """
      UPDATE console_session SET seen_at = now()
      WHERE id_sha256 = ? AND seen_at < now() - interval '1 minute'
      """;

  private static final String END = "DELETE FROM console_session WHERE id_sha256 = ?";

  private static final String END_OTHERS =
      "DELETE FROM console_session WHERE requester = ? AND id_sha256 <> ?";

  private static final String COUNT_OF_REQUESTER =
      "SELECT count(*) FROM console_session WHERE requester = ?";

  private final LedgerSql sql;
  private final Limits limits;

  /**
   * How long sessions last, and how many there may be.
   *
   * @param idle after the last request, of which a minute may be forgotten
   * @param longest after the sign-in
   * @param requesterMax how many a requester may have; the oldest ends for a new one
   * @param max how many there may be in all
   */
  public record Limits(Duration idle, Duration longest, int requesterMax, int max) {}

  /** A session as it was found. */
  private record Found(StoredSession session, boolean isUnseen) {}

  /** Keeps sessions in a database that was migrated. */
  public SessionStore(LedgerDatabase database, Limits limits) {
    this.sql = database.sql();
    this.limits = limits;
  }

  /**
   * Adds a session, and removes those that have ended. Of several at once, on whatever nodes, each
   * counts those before it.
   *
   * @param idSha256 of a cookie that no other session has
   * @return false, adding nothing, if there are as many in all as there may be
   */
  public boolean add(OctetString idSha256, UUID credential, RequesterId requester) {
    return sql.transaction(
        "the session cannot be stored",
        jdbc -> {
          jdbc.sql(LOCK).query(row -> {});
          jdbc.sql(REMOVE_ENDED)
              .params(limits.idle().toSeconds(), limits.longest().toSeconds())
              .update();
          jdbc.sql(REMOVE_EXCESS).params(requester.value(), limits.requesterMax() - 1).update();
          if (jdbc.sql(COUNT).query(Long.class).single() >= limits.max()) {
            return false;
          }
          jdbc.sql(ADD).params(idSha256.octets(), credential, requester.value()).update();
          return true;
        });
  }

  /** Returns a session that has not ended, without noting that it is used. */
  public Optional<StoredSession> peek(OctetString idSha256) {
    return sql.run("the session cannot be read", jdbc -> find(jdbc, idSha256).map(Found::session));
  }

  /** Returns a session that has not ended, and notes once a minute that it is used. */
  public Optional<StoredSession> use(OctetString idSha256) {
    return sql.run(
        "the session cannot be read",
        jdbc -> {
          Optional<Found> found = find(jdbc, idSha256);
          if (found.isPresent() && found.get().isUnseen()) {
            jdbc.sql(SEEN).param(idSha256.octets()).update();
          }
          return found.map(Found::session);
        });
  }

  private Optional<Found> find(JdbcClient jdbc, OctetString idSha256) {
    return jdbc.sql(FIND)
        .params(idSha256.octets(), limits.idle().toSeconds(), limits.longest().toSeconds())
        .query(
            (row, number) ->
                new Found(
                    new StoredSession(
                        row.getObject("credential", UUID.class),
                        LedgerColumns.instant(row, "created_at")),
                    row.getBoolean("is_unseen")))
        .optional();
  }

  /** Ends a session. Again: changes nothing. */
  public void end(OctetString idSha256) {
    sql.run("the session cannot be ended", jdbc -> jdbc.sql(END).param(idSha256.octets()).update());
  }

  /** Ends a requester's other sessions; returns how many there were. */
  public int endOthers(RequesterId requester, OctetString idSha256) {
    return sql.run(
        "the other sessions cannot be ended",
        jdbc -> jdbc.sql(END_OTHERS).params(requester.value(), idSha256.octets()).update());
  }

  /** Returns how many sessions a requester has. */
  public int count(RequesterId requester) {
    return sql.run(
        "the sessions cannot be counted",
        jdbc ->
            Math.toIntExact(
                jdbc.sql(COUNT_OF_REQUESTER).param(requester.value()).query(Long.class).single()));
  }
}
