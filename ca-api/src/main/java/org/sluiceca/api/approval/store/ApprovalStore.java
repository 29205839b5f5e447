package org.sluiceca.api.approval.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.store.StoredApproval.Asked;
import org.sluiceca.api.approval.store.StoredApproval.Decided;
import org.sluiceca.api.approval.store.StoredApproval.Decision;
import org.sluiceca.api.approval.store.StoredApproval.Ended;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The acts that wait for a second person, on PostgreSQL. Append-only but for the rules.
 * Thread-safe; every method blocks, for some seconds at most, and throws {@link LedgerUnavailable}
 * when the database does not answer.
 */
public final class ApprovalStore {

  /** The most approvals that an administrator reads at once. */
  public static final int LIST_MAX = 200;

  /** The most that may wait at once: no administrator would read more. */
  public static final int PENDING_MAX = 100;

  /**
   * The most that may wait of one requester: a fifth, so that none keeps the others from asking.
   */
  public static final int PENDING_OF_ONE_MAX = 20;

  /** Of many requests at once, each must count the others. Decisions do not wait for the lock. */
  private static final String LOCK = "LOCK TABLE approval IN SHARE ROW EXCLUSIVE MODE";

  private static final String ASK =
      """
      INSERT INTO approval (id, action, content, sha256, asked_by, expires_at)
      SELECT ?, ?, ?, sha256(convert_to(?, 'UTF8')), ?, now() + ? * interval '1 second'
      FROM (SELECT count(*) AS of_all, count(*) FILTER (WHERE a.asked_by = ?) AS of_one
            FROM approval a WHERE a.expires_at > now()
            AND NOT EXISTS (SELECT FROM approval_decision d WHERE d.approval = a.id)) pending
      WHERE pending.of_all < ? AND pending.of_one < ?
      """;

  private static final String READ =
      """
      SELECT a.id, a.action, a.content, a.sha256, a.asked_by, a.recorded_at, a.expires_at,
        a.expires_at <= now() AS is_expired, d.decision, d.decided_by, d.recorded_at AS decided_at,
        e.outcome, e.detail, e.recorded_at AS ended_at
      FROM approval a LEFT JOIN approval_decision d ON d.approval = a.id
      LEFT JOIN approval_end e ON e.approval = a.id
      """;

  private static final String FIND = READ + " WHERE a.id = ?";

  private static final String LIST =
      READ
          + """
           ORDER BY CASE WHEN d.approval IS NULL AND a.expires_at > now() THEN 0
                         WHEN d.decision = 'approved' AND e.approval IS NULL THEN 1 ELSE 2 END,
           a.recorded_at DESC, a.id LIMIT ?
          """;

  private static final String UNFINISHED =
      READ
          + """
           WHERE d.decision = 'approved' AND e.approval IS NULL
           AND d.recorded_at < now() - ? * interval '1 second' AND a.id <> ALL (?)
           ORDER BY d.recorded_at LIMIT 16
          """;

  /** The digest is what the decider has read: of another content this decides nothing. */
  private static final String DECIDE =
      """
      INSERT INTO approval_decision (approval, decision, decided_by, asked_by, sha256)
      SELECT a.id, ?, ?, a.asked_by, a.sha256 FROM approval a
      WHERE a.id = ? AND a.sha256 = ? AND a.expires_at > now()
      ON CONFLICT (approval) DO NOTHING
      """;

  private static final String END =
      """
      INSERT INTO approval_end (approval, outcome, detail) VALUES (?, ?, left(?, 1000))
      ON CONFLICT (approval) DO NOTHING
      """;

  private static final String REQUIRE =
      "INSERT INTO approval_rule (action) VALUES (?) ON CONFLICT (action) DO NOTHING";

  private static final String RULES = "SELECT action FROM approval_rule";

  private static final String DONE = "done";

  private final LedgerSql sql;

  /** Keeps them in a database that was migrated. */
  public ApprovalStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * Records what is asked for.
   *
   * @return false, recording nothing, if too many wait already, of this one or of all
   */
  public boolean ask(UUID id, String action, String content, RequesterId by, Duration lifetime) {
    return sql.transaction(
        "the request for approval cannot be recorded",
        jdbc -> {
          int _ = jdbc.sql(LOCK).update();
          return jdbc.sql(ASK)
                  .params(id, action, content, content, by.value(), lifetime.toSeconds())
                  .params(by.value(), PENDING_MAX, PENDING_OF_ONE_MAX)
                  .update()
              == 1;
        });
  }

  /** Returns one. */
  public Optional<StoredApproval> find(UUID id) {
    return sql.run(
        "the approval cannot be read",
        jdbc -> jdbc.sql(FIND).param(id).query(ApprovalStore::approval).optional());
  }

  /** Returns 200 at most: those to be decided, those to be carried out, then the newest. */
  public List<StoredApproval> list() {
    return sql.run(
        "the approvals cannot be read",
        jdbc -> jdbc.sql(LIST).param(LIST_MAX).query(ApprovalStore::approval).list());
  }

  /**
   * Returns what was approved so long ago and has not ended, the oldest first, 16 at most.
   *
   * @param except these are not returned
   */
  public List<StoredApproval> unfinished(Duration since, Collection<UUID> except) {
    return sql.run(
        "the approvals cannot be read",
        jdbc ->
            jdbc.sql(UNFINISHED)
                .params(since.toSeconds(), new SqlArrayValue("uuid", except.toArray()))
                .query(ApprovalStore::approval)
                .list());
  }

  /**
   * Records a decision, unless one was recorded before.
   *
   * @param sha256 of the content that the deciding requester has read
   * @return whether this decision stands; false, changing nothing, if another was first, the
   *     content is another one, or its time has passed
   */
  public boolean decide(UUID id, Decision decision, RequesterId by, OctetString sha256) {
    String word = decision.name().toLowerCase(Locale.ROOT);
    return sql.run(
        "the decision cannot be recorded",
        jdbc -> jdbc.sql(DECIDE).params(word, by.value(), id, sha256.octets()).update() == 1);
  }

  /** Records how carrying it out ended, once. */
  public void end(UUID id, boolean isDone, String detail) {
    int _ =
        sql.run(
            "the end of the approved action cannot be recorded",
            jdbc -> jdbc.sql(END).params(id, isDone ? DONE : "failed", detail).update());
  }

  /** Has every node hold these acts back, from now on. */
  public void require(Collection<String> actions) {
    for (String action : actions) {
      int _ =
          sql.run(
              "the rules of approval cannot be recorded",
              jdbc -> jdbc.sql(REQUIRE).param(action).update());
    }
  }

  /** Returns the acts that some node was ever configured to hold back. */
  public Set<String> required() {
    return sql.run(
        "the rules of approval cannot be read", jdbc -> jdbc.sql(RULES).query(String.class).set());
  }

  private static StoredApproval approval(ResultSet row, int number) throws SQLException {
    return new StoredApproval(
        row.getObject("id", UUID.class),
        new Asked(
            row.getString("action"),
            new RequesterId(row.getString("asked_by")),
            LedgerColumns.instant(row, "recorded_at"),
            LedgerColumns.instant(row, "expires_at")),
        row.getString("content"),
        OctetString.copyOf(row.getBytes("sha256")),
        row.getBoolean("is_expired"),
        decided(row),
        ended(row));
  }

  private static Optional<Decided> decided(ResultSet row) throws SQLException {
    @Nullable String decision = row.getString("decision");
    return decision == null
        ? Optional.empty()
        : Optional.of(
            new Decided(
                Decision.valueOf(decision.toUpperCase(Locale.ROOT)),
                new RequesterId(row.getString("decided_by")),
                LedgerColumns.instant(row, "decided_at")));
  }

  private static Optional<Ended> ended(ResultSet row) throws SQLException {
    @Nullable String outcome = row.getString("outcome");
    return outcome == null
        ? Optional.empty()
        : Optional.of(
            new Ended(
                outcome.equals(DONE),
                row.getString("detail"),
                LedgerColumns.instant(row, "ended_at")));
  }
}
