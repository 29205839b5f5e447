package org.sluiceca.api.renewal.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.renewal.Replacement;
import org.sluiceca.core.renewal.Urgency;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Replacements on PostgreSQL (ADR 0070): each is recorded once, in the transaction of the act that
 * causes it. Append-only. Thread-safe; every method blocks, for some seconds at most, and throws
 * {@link LedgerUnavailable} when the database does not answer.
 */
public final class ReplacementStore {

  /** A planned exchange has more time than revoked certificates, if the HSM needs it. */
  public static final Duration RETIREMENT_WITHIN = Duration.ofDays(30);

  /**
   * The spare rate now, and its part for one more replacement: those under way keep theirs, which
   * was recorded. How long one is under way is what {@link Replacement#spread} says, to some
   * percent.
   */
  private static final String PART =
      "coalesce((SELECT r.per_second FROM renewal_rate r ORDER BY r.recorded_at DESC LIMIT 1), "
          + RateStore.ASSUMED_PER_SECOND
          + ") / (1 + (SELECT count(*) FROM replacement u"
          + " WHERE u.begun > now() - interval '90 days' AND u.begun + make_interval(secs =>"
          + " least(greatest(300, 2 * u.certificates / u.per_second), u.within_seconds)) > now()))";

  /** Recorded late, it has begun when the job did: the job's certificates are looked up by that. */
  private static final String OF_JOB =
      "INSERT INTO replacement (job, begun, certificates, per_second, within_seconds) SELECT j.id,"
          + " coalesce((SELECT s.recorded_at FROM revocation_job_start s WHERE s.job = j.id), now()),"
          + " j.selected, "
          + PART
          + ", ? FROM revocation_job j WHERE j.id = ?"
          + " AND NOT EXISTS (SELECT FROM replacement d WHERE d.job = j.id) ON CONFLICT DO NOTHING";

  /**
   * The index of certificates has no order by issuer, so all that have not expired are counted: too
   * many where there are several issuers, and the spread is the longer for it. Certificates that
   * have been issued and not been counted yet are in the feed of the index, by the transaction that
   * issued them; both are read in one snapshot, so that each counts once. Of a feed that is far
   * behind, a part is read: a statement must not take long.
   */
  private static final String OF_RETIREMENT =
      "INSERT INTO replacement (retired_issuer, certificates, per_second, within_seconds) SELECT ?,"
          + " (SELECT coalesce(sum(t.certificates), 0) FROM certificate_tally t"
          + " WHERE t.expires_on >= current_date)"
          + " + (SELECT coalesce(sum(octet_length(f.serials)), 0) FROM"
          + " (SELECT serials FROM certificate_feed LIMIT 10000) f) / "
          + SerialNumber.OCTETS
          + ", "
          + PART
          + ", ? ON CONFLICT DO NOTHING";

  private static final String COLUMNS =
      "SELECT p.begun, p.certificates, p.per_second, p.within_seconds, j.reason ";

  private static final String RETIRED =
      COLUMNS
          + "FROM replacement p LEFT JOIN revocation_job j ON j.id = p.job"
          + " WHERE p.retired_issuer = ?";

  /** A job ends within minutes; a week also finds one that waited for a node. */
  private static final String REVOKED =
      COLUMNS
          + """
          FROM replacement p JOIN revocation_job j ON j.id = p.job
          WHERE p.begun <= ? AND p.begun > ?::timestamptz - interval '7 days' AND j.reason = ?
            AND (j.requester IS NULL OR j.requester = ?) AND (j.profile IS NULL OR j.profile = ?)
            AND (j.issuer IS NULL OR j.issuer = ?)
            AND EXISTS (SELECT FROM outcome o WHERE o.expiry_week = ? AND o.serial = ?
              AND o.recorded_at < j.as_of
              AND (j.issued_after IS NULL OR o.recorded_at >= j.issued_after)
              AND (j.issued_before IS NULL OR o.recorded_at < j.issued_before))
          ORDER BY p.begun LIMIT 1
          """;

  private static final String RECENT =
      COLUMNS
          + """
          FROM replacement p LEFT JOIN revocation_job j ON j.id = p.job
          WHERE p.begun > now() - interval '90 days' ORDER BY p.begun DESC LIMIT 100
          """;

  private static final String RECORDED =
      """
      SELECT r.recorded_at FROM revocation r WHERE r.expiry_week = ? AND r.serial = ?
      ORDER BY r.event DESC LIMIT 1
      """;

  private static final String UNRECORDED =
      "the replacement of bulk revocation {} is not recorded: its certificates may all renew at"
          + " once";

  private static final String UNRECORDED_RETIREMENT =
      "the replacement of retired issuer {} is not recorded: the renewal of its certificates is not"
          + " brought forward; this node tries again each minute";

  /** Jobs whose failure was logged: more than a node sees at a time. */
  private static final int LOGGED_MAX = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(ReplacementStore.class);

  private final LedgerSql sql;
  private final Set<UUID> logged = ConcurrentHashMap.newKeySet();

  /** Keeps replacements in a database that was migrated. */
  public ReplacementStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * Records the replacement of what a bulk revocation selects, once, in the caller's transaction,
   * which goes on if that fails: windows may be worse then, but the revocation must not wait.
   * {@link #ensureJob} records it later.
   */
  public static void recordJob(JdbcClient jdbc, UUID job) {
    boolean _ = recordOrGoOn(jdbc, () -> record(jdbc, job), UNRECORDED, job);
  }

  private static boolean recordOrGoOn(
      JdbcClient jdbc, IntSupplier recording, String failure, Object subject) {
    int _ = jdbc.sql("SAVEPOINT replacement").update();
    try {
      int _ = recording.getAsInt();
      int _ = jdbc.sql("RELEASE SAVEPOINT replacement").update();
      return true;
    } catch (DataAccessException e) {
      LOG.warn(failure, subject, e);
      int _ = jdbc.sql("ROLLBACK TO SAVEPOINT replacement").update();
      return false;
    }
  }

  /**
   * Records the same for a job that was started without, by a node of a release before or because
   * it failed. Again changes nothing. Does not fail: the caller's next look at the job tries again,
   * and a failure is logged once for each job.
   */
  public void ensureJob(UUID job) {
    try {
      int _ =
          sql.run(
              "the replacement of the bulk revocation " + job + " cannot be recorded",
              jdbc -> record(jdbc, job));
    } catch (LedgerUnavailable e) {
      if (logged.size() >= LOGGED_MAX) {
        logged.clear();
      }
      if (logged.add(job)) {
        LOG.warn(UNRECORDED + ": {}", job, String.valueOf(e.getCause()));
      }
    }
  }

  private static int record(JdbcClient jdbc, UUID job) {
    return jdbc.sql(OF_JOB).params(Replacement.A_DAY.toSeconds(), job).update();
  }

  /**
   * Records the replacement of a retired issuer's certificates, in the caller's transaction, which
   * goes on if that fails: an issuer must not stay active because its certificates are not counted.
   * Again changes nothing. A failure is logged.
   *
   * @return whether it is recorded
   */
  public static boolean recordRetirement(JdbcClient jdbc, IssuerName issuer) {
    return recordOrGoOn(
        jdbc,
        () ->
            jdbc.sql(OF_RETIREMENT).params(issuer.value(), RETIREMENT_WITHIN.toSeconds()).update(),
        UNRECORDED_RETIREMENT,
        issuer);
  }

  /** Returns the replacement that the retirement of an issuer began, whenever that was. */
  public Optional<Replacement> ofRetired(IssuerName issuer) {
    return sql.run(
        "the replacement of an issuer cannot be read",
        jdbc ->
            jdbc.sql(RETIRED)
                .param(issuer.value())
                .query(ReplacementStore::replacement)
                .optional());
  }

  /**
   * Returns the mass revocation by which a certificate was revoked; empty if it was revoked alone.
   *
   * @param recordedAt when its revocation was recorded, as {@link #recordedAt} has it
   */
  public Optional<Replacement> ofRevoked(
      LedgerEntry entry, RevocationReason reason, Instant recordedAt) {
    Intent.Origin origin = entry.intent().origin();
    SerialNumber serial = entry.intent().serialNumber();
    return sql.run(
        "the bulk revocation of a certificate cannot be read",
        jdbc ->
            jdbc.sql(REVOKED)
                .params(RateStore.time(recordedAt), RateStore.time(recordedAt), reason.code())
                .params(
                    origin.requester().value(), origin.profile().value(), origin.issuer().value())
                .params(serial.expiryWeek().number(), serial.octets())
                .query(ReplacementStore::replacement)
                .optional());
  }

  /** Returns when the latest event of a certificate's revocation was recorded. */
  public Optional<Instant> recordedAt(SerialNumber serial) {
    return sql.run(
        "the revocation of a certificate cannot be read",
        jdbc ->
            jdbc.sql(RECORDED)
                .params(serial.expiryWeek().number(), serial.octets())
                .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
                .optional());
  }

  /** Returns the replacements of the last 90 days, the newest first, 100 at most. */
  public List<Replacement> recent() {
    return sql.run(
        "the replacements cannot be read",
        jdbc -> jdbc.sql(RECENT).query(ReplacementStore::replacement).list());
  }

  private static Replacement replacement(ResultSet row, int number) throws SQLException {
    @Nullable Integer code = row.getObject("reason", Integer.class);
    Urgency urgency =
        code == null
            ? Urgency.STILL_VALID
            : Urgency.of(
                RevocationReason.ofCode(code)
                    .orElseThrow(() -> new SQLException("a job with the reason " + code)));
    return new Replacement(
        row.getObject("begun", OffsetDateTime.class).toInstant(),
        Map.of(urgency, row.getLong("certificates")),
        row.getDouble("per_second"),
        Duration.ofSeconds(row.getLong("within_seconds")));
  }
}
