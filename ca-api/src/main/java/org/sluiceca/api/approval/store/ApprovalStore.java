package org.sluiceca.api.approval.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
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
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

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

  private final LedgerDatabase database;

  /** Keeps them in a database that was migrated. */
  public ApprovalStore(LedgerDatabase database) {
    this.database = database;
  }

  /**
   * Records what is asked for.
   *
   * @return false, recording nothing, if too many wait already, of this one or of all
   */
  public boolean ask(UUID id, String action, String content, RequesterId by, Duration lifetime) {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      try (Statement lock = connection.createStatement()) {
        lock.execute(LOCK);
      }
      try (PreparedStatement statement = connection.prepareStatement(ASK)) {
        statement.setObject(1, id);
        statement.setString(2, action);
        statement.setString(3, content);
        statement.setString(4, content);
        statement.setString(5, by.value());
        statement.setLong(6, lifetime.toSeconds());
        statement.setString(7, by.value());
        statement.setInt(8, PENDING_MAX);
        statement.setInt(9, PENDING_OF_ONE_MAX);
        boolean isAsked = statement.executeUpdate() == 1;
        connection.commit();
        return isAsked;
      }
    } catch (SQLException e) {
      throw unavailable("the request for approval cannot be recorded", e);
    }
  }

  /** Returns one. */
  public Optional<StoredApproval> find(UUID id) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setObject(1, id);
      return read(statement).stream().findFirst();
    } catch (SQLException e) {
      throw unavailable("the approval cannot be read", e);
    }
  }

  /** Returns 200 at most: those to be decided, those to be carried out, then the newest. */
  public List<StoredApproval> list() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(LIST)) {
      statement.setInt(1, LIST_MAX);
      return read(statement);
    } catch (SQLException e) {
      throw unavailable("the approvals cannot be read", e);
    }
  }

  /**
   * Returns what was approved so long ago and has not ended, the oldest first, 16 at most.
   *
   * @param except these are not returned
   */
  public List<StoredApproval> unfinished(Duration since, Collection<UUID> except) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(UNFINISHED)) {
      statement.setLong(1, since.toSeconds());
      statement.setArray(2, connection.createArrayOf("uuid", except.toArray()));
      return read(statement);
    } catch (SQLException e) {
      throw unavailable("the approvals cannot be read", e);
    }
  }

  /**
   * Records a decision, unless one was recorded before.
   *
   * @param sha256 of the content that the deciding requester has read
   * @return whether this decision stands; false, changing nothing, if another was first, the
   *     content is another one, or its time has passed
   */
  public boolean decide(UUID id, Decision decision, RequesterId by, OctetString sha256) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(DECIDE)) {
      statement.setString(1, decision.name().toLowerCase(Locale.ROOT));
      statement.setString(2, by.value());
      statement.setObject(3, id);
      statement.setBytes(4, sha256.octets());
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      throw unavailable("the decision cannot be recorded", e);
    }
  }

  /** Records how carrying it out ended, once. */
  public void end(UUID id, boolean isDone, String detail) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(END)) {
      statement.setObject(1, id);
      statement.setString(2, isDone ? DONE : "failed");
      statement.setString(3, detail);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw unavailable("the end of the approved action cannot be recorded", e);
    }
  }

  /** Has every node hold these acts back, from now on. */
  public void require(Collection<String> actions) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(REQUIRE)) {
      for (String action : actions) {
        statement.setString(1, action);
        statement.executeUpdate();
      }
    } catch (SQLException e) {
      throw unavailable("the rules of approval cannot be recorded", e);
    }
  }

  /** Returns the acts that some node was ever configured to hold back. */
  public Set<String> required() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(RULES);
        ResultSet row = statement.executeQuery()) {
      Set<String> actions = new HashSet<>();
      while (row.next()) {
        actions.add(row.getString("action"));
      }
      return actions;
    } catch (SQLException e) {
      throw unavailable("the rules of approval cannot be read", e);
    }
  }

  private static List<StoredApproval> read(PreparedStatement statement) throws SQLException {
    List<StoredApproval> approvals = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        approvals.add(
            new StoredApproval(
                row.getObject("id", UUID.class),
                new Asked(
                    row.getString("action"),
                    new RequesterId(row.getString("asked_by")),
                    instant(row, "recorded_at"),
                    instant(row, "expires_at")),
                row.getString("content"),
                OctetString.copyOf(row.getBytes("sha256")),
                row.getBoolean("is_expired"),
                decided(row),
                ended(row)));
      }
    }
    return List.copyOf(approvals);
  }

  private static Optional<Decided> decided(ResultSet row) throws SQLException {
    @Nullable String decision = row.getString("decision");
    return decision == null
        ? Optional.empty()
        : Optional.of(
            new Decided(
                Decision.valueOf(decision.toUpperCase(Locale.ROOT)),
                new RequesterId(row.getString("decided_by")),
                instant(row, "decided_at")));
  }

  private static Optional<Ended> ended(ResultSet row) throws SQLException {
    @Nullable String outcome = row.getString("outcome");
    return outcome == null
        ? Optional.empty()
        : Optional.of(
            new Ended(outcome.equals(DONE), row.getString("detail"), instant(row, "ended_at")));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static LedgerUnavailable unavailable(String what, SQLException e) {
    return new LedgerUnavailable(what, e);
  }
}
