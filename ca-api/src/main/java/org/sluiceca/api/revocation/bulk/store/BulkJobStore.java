package org.sluiceca.api.revocation.bulk.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.api.renewal.store.ReplacementStore;
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
import org.springframework.jdbc.core.SqlParameterValue;

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

  private final LedgerSql sql;

  /** Keeps the jobs of a database that was migrated. */
  public BulkJobStore(LedgerDatabase database) {
    this.sql = database.sql();
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
    int _ =
        sql.run(
            "the dry run cannot be recorded",
            jdbc ->
                jdbc.sql(RECORD)
                    .params(job.id(), job.confirmation(), wish.by().value())
                    .param(text(selection.requester(), RequesterId::value))
                    .param(text(selection.profile(), ProfileName::value))
                    .param(text(selection.issuer(), IssuerName::value))
                    .param(time(selection.issuedAfter()))
                    .param(time(selection.issuedBefore()))
                    .param(wish.reason().code())
                    .param(time(wish.invalidityDate()))
                    .params(PostgresRevocationStore.offset(job.asOf()), job.selected())
                    .update());
  }

  private static <T> SqlParameterValue text(Optional<T> value, Function<T, String> text) {
    return new SqlParameterValue(Types.VARCHAR, value.map(text).orElse(null));
  }

  private static SqlParameterValue time(Optional<Instant> time) {
    return new SqlParameterValue(
        Types.TIMESTAMP_WITH_TIMEZONE, time.map(PostgresRevocationStore::offset).orElse(null));
  }

  /** Returns what a confirmation stands for. */
  public Optional<Shown> shown(String confirmation) {
    return sql.run(
        "the dry run cannot be read",
        jdbc ->
            jdbc.sql(SHOWN)
                .param(confirmation)
                .query(
                    (row, number) ->
                        new Shown(
                            job(row, number),
                            Duration.ofMillis(row.getLong("age_millis")),
                            row.getBoolean("is_started")))
                .optional());
  }

  /**
   * Starts a recorded job, once: again changes nothing. From then on, what it selects is to be
   * replaced.
   *
   * @param owner the node that begins
   */
  public void start(UUID job, String owner) {
    int _ =
        sql.transaction(
            "the bulk revocation " + job + " cannot be started",
            jdbc -> {
              int started = jdbc.sql(START).params(job, owner).update();
              if (started > 0) {
                ReplacementStore.recordJob(jdbc, job);
              }
              return started;
            });
  }

  /** Records that a job is over, once. */
  public void end(UUID job, boolean isDone) {
    int _ =
        sql.run(
            "the end of the bulk revocation " + job + " cannot be recorded",
            jdbc -> jdbc.sql(END).params(job, isDone ? DONE : FAILED).update());
  }

  /** Returns the jobs that are not over, the oldest first, 16 at most. */
  public List<BulkJob> unfinished() {
    return sql.run(
        "the bulk revocations cannot be read",
        jdbc -> jdbc.sql(UNFINISHED).param(UNFINISHED_MAX).query(BulkJobStore::job).list());
  }

  /** Returns how a started job stands. */
  public Optional<State> find(UUID job) {
    return sql.run(
        "the bulk revocation cannot be read",
        jdbc -> jdbc.sql(FIND).param(job).query(BulkJobStore::state).optional());
  }

  private static State state(ResultSet row, int number) throws SQLException {
    @Nullable String outcome = row.getString("outcome");
    Status status =
        switch (outcome) {
          case null -> row.getLong("batches") == 0 ? Status.PENDING : Status.RUNNING;
          case DONE -> Status.DONE;
          case FAILED -> Status.FAILED;
          default -> throw new SQLException("a bulk revocation ended as " + outcome);
        };
    return new State(
        job(row, number),
        status,
        new BulkCounts(
            row.getLong("revoked"), row.getLong("already_revoked"), row.getLong("refused")),
        instant(row, "started_at").orElseThrow(),
        instant(row, "ended_at"));
  }

  private static BulkJob job(ResultSet row, int number) throws SQLException {
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
}
