package org.sluiceca.api.revocation.bulk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.PostgresCrlStore;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.bulk.BulkCounts;
import org.sluiceca.core.revoke.bulk.BulkJob;
import org.sluiceca.core.revoke.bulk.BulkRevocation;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.x509.IssuerName;

/**
 * Bulk revocations on PostgreSQL: the results of dry runs, the jobs that were started, and their
 * progress. Append-only. Thread-safe; every method blocks, for some seconds at most, and throws
 * {@link LedgerUnavailable} when the database does not answer.
 */
public final class BulkJobStore {

  private static final String JOB =
      """
      j.id, j.officer, j.requester, j.profile, j.issuer, j.issued_after, j.issued_before, j.reason,
        j.invalidity_date, j.as_of, j.selected
      """;

  private static final String RECORD =
      """
      INSERT INTO revocation_job (id, confirmation, officer, requester, profile, issuer,
        issued_after, issued_before, reason, invalidity_date, as_of, selected)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SHOWN =
      "SELECT "
          + JOB
          + """
          , extract(epoch FROM now() - j.recorded_at) * 1000 AS age_millis,
            EXISTS (SELECT FROM revocation_job_start s WHERE s.job = j.id) AS is_started
          FROM revocation_job j WHERE j.confirmation = ?
          """;

  private static final String START =
      "INSERT INTO revocation_job_start (job, owner) VALUES (?, ?) ON CONFLICT (job) DO NOTHING";

  private static final String UNFINISHED =
      "SELECT "
          + JOB
          + """
          FROM revocation_job_start s JOIN revocation_job j ON j.id = s.job
          WHERE NOT EXISTS (SELECT FROM revocation_job_end e WHERE e.job = s.job)
          ORDER BY s.recorded_at, s.job LIMIT ?
          """;

  private static final String FIND =
      "SELECT "
          + JOB
          + """
          , s.recorded_at AS started_at, e.recorded_at AS ended_at, e.outcome, b.batches,
            b.revoked, b.already_revoked, b.refused
          FROM revocation_job_start s JOIN revocation_job j ON j.id = s.job
          LEFT JOIN revocation_job_end e ON e.job = s.job
          CROSS JOIN LATERAL (
            SELECT count(*) AS batches, coalesce(sum(l.revoked), 0) AS revoked,
              coalesce(sum(l.already_revoked), 0) AS already_revoked,
              coalesce(sum(l.refused), 0) AS refused
            FROM revocation_job_batch l WHERE l.job = s.job) b
          WHERE s.job = ?
          """;

  private static final String END =
      "INSERT INTO revocation_job_end (job, outcome) VALUES (?, ?) ON CONFLICT (job) DO NOTHING";

  /** Jobs that a node looks at, one after another; more wait until one of these has ended. */
  private static final int UNFINISHED_MAX = 16;

  private static final String DONE = "done";
  private static final String FAILED = "failed";

  private final LedgerDatabase database;

  /** Keeps the jobs of a database that was migrated. */
  public BulkJobStore(LedgerDatabase database) {
    this.database = database;
  }

  /** How a job stands. */
  public enum Status {
    PENDING,
    RUNNING,
    DONE,
    /** The number found is not what the dry run counted. */
    FAILED
  }

  /** The dry run that a confirmation stands for. */
  public record Shown(BulkJob job, Duration age, boolean isStarted) {}

  /** A job that was started. */
  public record State(
      BulkJob job,
      Status status,
      BulkCounts counts,
      Instant startedAt,
      Optional<Instant> endedAt) {}

  /** Records what a dry run showed. */
  public void record(BulkJob job) {
    BulkRevocation wish = job.wish();
    BulkSelection selection = wish.selection();
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(RECORD)) {
      statement.setObject(1, job.id());
      statement.setString(2, job.confirmation());
      statement.setString(3, wish.by().value());
      statement.setString(4, selection.requester().map(RequesterId::value).orElse(null));
      statement.setString(5, selection.profile().map(ProfileName::value).orElse(null));
      statement.setString(6, selection.issuer().map(IssuerName::value).orElse(null));
      time(statement, 7, selection.issuedAfter());
      time(statement, 8, selection.issuedBefore());
      statement.setInt(9, wish.reason().code());
      time(statement, 10, wish.invalidityDate());
      statement.setObject(11, PostgresRevocationStore.offset(job.asOf()));
      statement.setLong(12, job.selected());
      statement.executeUpdate();
    } catch (SQLException e) {
      throw unavailable("the dry run cannot be recorded", e);
    }
  }

  /** Returns what a confirmation stands for. */
  public Optional<Shown> shown(String confirmation) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(SHOWN)) {
      statement.setString(1, confirmation);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Shown(
                    job(row),
                    Duration.ofMillis(row.getLong("age_millis")),
                    row.getBoolean("is_started")))
            : Optional.empty();
      }
    } catch (SQLException e) {
      throw unavailable("the dry run cannot be read", e);
    }
  }

  /**
   * Starts a recorded job, once: again changes nothing.
   *
   * @param owner the node that begins
   */
  public void start(UUID job, String owner) {
    insert(START, job, owner);
  }

  /** Records that a job is over, once. */
  public void end(UUID job, boolean isDone) {
    insert(END, job, isDone ? DONE : FAILED);
  }

  private void insert(String sql, UUID job, String value) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, job);
      statement.setString(2, value);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw unavailable("the bulk revocation " + job + " cannot be recorded", e);
    }
  }

  /** Returns the jobs that are not over, the oldest first, 16 at most. */
  public List<BulkJob> unfinished() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(UNFINISHED)) {
      statement.setInt(1, UNFINISHED_MAX);
      List<BulkJob> jobs = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          jobs.add(job(row));
        }
      }
      return jobs;
    } catch (SQLException e) {
      throw unavailable("the bulk revocations cannot be read", e);
    }
  }

  /** Returns how a started job stands. */
  public Optional<State> find(UUID job) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setObject(1, job);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(state(row)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw unavailable("the bulk revocation cannot be read", e);
    }
  }

  private static State state(ResultSet row) throws SQLException {
    @Nullable String outcome = row.getString("outcome");
    Status status =
        switch (outcome) {
          case null -> row.getLong("batches") == 0 ? Status.PENDING : Status.RUNNING;
          case DONE -> Status.DONE;
          case FAILED -> Status.FAILED;
          default -> throw new SQLException("a bulk revocation ended as " + outcome);
        };
    return new State(
        job(row),
        status,
        new BulkCounts(
            row.getLong("revoked"), row.getLong("already_revoked"), row.getLong("refused")),
        instant(row, "started_at").orElseThrow(),
        instant(row, "ended_at"));
  }

  private static BulkJob job(ResultSet row) throws SQLException {
    return new BulkJob(
        row.getObject("id", UUID.class),
        new BulkRevocation(
            new BulkSelection(
                Optional.ofNullable(row.getString("requester")).map(RequesterId::new),
                Optional.ofNullable(row.getString("profile")).map(ProfileName::new),
                Optional.ofNullable(row.getString("issuer")).map(IssuerName::new),
                instant(row, "issued_after"),
                instant(row, "issued_before")),
            PostgresRevocationStore.reason(row.getInt("reason")),
            instant(row, "invalidity_date"),
            new RequesterId(row.getString("officer"))),
        instant(row, "as_of").orElseThrow(),
        row.getLong("selected"));
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return PostgresCrlStore.instant(row, column);
  }

  static void time(PreparedStatement statement, int index, Optional<Instant> time)
      throws SQLException {
    Optional<OffsetDateTime> value = time.map(PostgresRevocationStore::offset);
    if (value.isPresent()) {
      statement.setObject(index, value.get());
    } else {
      statement.setNull(index, Types.TIMESTAMP_WITH_TIMEZONE);
    }
  }

  private static LedgerUnavailable unavailable(String what, SQLException e) {
    return new LedgerUnavailable(what, e);
  }
}
