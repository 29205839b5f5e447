package org.sluiceca.api.revocation.bulk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.revoke.bulk.BulkCandidate;
import org.sluiceca.core.revoke.bulk.BulkJob;
import org.sluiceca.core.revoke.bulk.BulkPage;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Takes bulk revocations one batch further. Any number of nodes may ask about one job: the batch's
 * number is taken by one of them, in the transaction that revokes. Thread-safe; blocks for some
 * seconds at most.
 */
public final class BulkBatches {

  /** Certificates of a transaction: it holds the row of their CRL for some 20 ms. */
  public static final int BATCH_MAX = 500;

  /** How long it looks for a whole batch: a node that finds nothing for long says that it lives. */
  private static final Duration READ_MAX = Duration.ofMillis(250);

  private static final String PROGRESS =
      """
      SELECT coalesce(b.owner, s.owner) AS owner, coalesce(b.number, 0) AS number,
        b.read_week, b.read_serial,
        extract(epoch FROM now() - coalesce(b.recorded_at, s.recorded_at)) * 1000 AS silent_millis
      FROM revocation_job_start s
      LEFT JOIN LATERAL (
        SELECT l.owner, l.number, l.read_week, l.read_serial, l.recorded_at
        FROM revocation_job_batch l WHERE l.job = s.job ORDER BY l.number DESC LIMIT 1) b ON true
      WHERE s.job = ?
      """;

  private static final String BATCH =
      """
      INSERT INTO revocation_job_batch (job, number, owner, read_week, read_serial, revoked,
        already_revoked, refused)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (job, number) DO NOTHING
      """;

  private final LedgerDatabase database;
  private final ReplacementStore replacements;
  private final BulkReading reading;
  private final String owner;
  private final Duration lease;
  private final int batchMax;

  /**
   * Works on the jobs of a database that was migrated.
   *
   * @param owner this node
   * @param lease how long a job is left to the node that wrote its newest batch; longer than a
   *     transaction may take
   */
  public BulkBatches(LedgerDatabase database, String owner, Duration lease) {
    this(new BulkReading(database, BulkReading.PAGE_ROWS), database, owner, lease, BATCH_MAX);
  }

  BulkBatches(
      BulkReading reading, LedgerDatabase database, String owner, Duration lease, int batchMax) {
    this.database = database;
    this.replacements = new ReplacementStore(database);
    this.reading = reading;
    this.owner = owner;
    this.lease = lease;
    this.batchMax = batchMax;
  }

  /** The result of a step. */
  public sealed interface Step {

    /** A batch is durable; lists the certificates that it revoked, perhaps none. */
    record Went(List<SerialNumber> revoked) implements Step {}

    /** Another node has the job, or was faster. */
    record Elsewhere() implements Step {}

    /** Every batch is durable. */
    record AllRead() implements Step {}
  }

  private record Progress(String owner, int number, Optional<BulkReading.Position> position) {}

  /**
   * Takes a job that was started one batch further, unless another node has it. A node of a release
   * before records no replacement, so that this one does, whichever node has the job.
   *
   * @throws LedgerUnavailable if the database does not answer: the batch may be durable or not, and
   *     the next step finds out
   */
  public Step step(BulkJob job) {
    replacements.ensureJob(job.id());
    try {
      Optional<Progress> progress = progress(job);
      if (progress.isEmpty()) {
        return new Step.Elsewhere();
      }
      if (progress.get().number() > 0 && progress.get().position().isEmpty()) {
        return new Step.AllRead();
      }
      return batch(job, progress.get());
    } catch (SQLException e) {
      throw new LedgerUnavailable("the bulk revocation " + job.id() + " does not go on", e);
    }
  }

  /** Empty if it is another node's. */
  private Optional<Progress> progress(BulkJob job) throws SQLException {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(PROGRESS)) {
      statement.setObject(1, job.id());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("no bulk revocation was started as " + job.id());
        }
        String last = row.getString("owner");
        if (!last.equals(owner) && row.getDouble("silent_millis") < lease.toMillis()) {
          return Optional.empty();
        }
        int number = row.getInt("number");
        @Nullable Integer week = row.getObject("read_week", Integer.class);
        Optional<BulkReading.Position> position =
            week == null
                ? Optional.empty()
                : Optional.of(
                    new BulkReading.Position(
                        week, OctetString.copyOf(row.getBytes("read_serial"))));
        return Optional.of(new Progress(last, number, position));
      }
    }
  }

  private Step batch(BulkJob job, Progress progress) throws SQLException {
    Optional<BulkReading.Position> position =
        progress.number() == 0 ? reading.first(job.asOf()) : progress.position();
    List<BulkCandidate> candidates = new ArrayList<>();
    long start = System.nanoTime();
    while (position.isPresent()
        && candidates.size() < batchMax
        && System.nanoTime() - start < READ_MAX.toNanos()) {
      BulkReading.Slice slice =
          reading.read(
              job.wish().selection(), job.asOf(), position.get(), batchMax - candidates.size());
      candidates.addAll(slice.candidates());
      position = slice.next();
    }
    BulkPage page = BulkPage.of(candidates, job.asOf());
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      List<SerialNumber> revoked = new ArrayList<>();
      int alreadyRevoked = revoke(connection, job, page, revoked);
      boolean isMine =
          record(
              connection,
              job.id(),
              progress.number() + 1,
              position,
              new Counts(revoked.size(), alreadyRevoked, page.refused()));
      // Whatever is not committed the pool rolls back, and gives the connection back as it was.
      if (!isMine) {
        return new Step.Elsewhere();
      }
      connection.commit();
      return new Step.Went(revoked);
    }
  }

  private record Counts(int revoked, int alreadyRevoked, int refused) {}

  /** Returns how many were revoked before; adds to {@code revoked} which are now. */
  private static int revoke(
      Connection connection, BulkJob job, BulkPage page, List<SerialNumber> revoked)
      throws SQLException {
    if (page.revocable().isEmpty()) {
      return 0;
    }
    // No other transaction decides about a certificate of these scopes until the commit.
    Map<CrlScope, Long> revisions = new HashMap<>();
    for (CrlScope scope : page.scopes()) {
      revisions.put(scope, BulkAppend.lock(connection, scope));
    }
    Map<SerialNumber, RevocationStatus> statuses =
        BulkAppend.statuses(
            connection, page.revocable().stream().map(r -> r.candidate().serialNumber()).toList());
    BulkPage.Events decided = page.decide(job.wish(), statuses);
    BulkAppend.append(connection, job.wish(), decided.events(), revisions);
    decided.events().stream().map(RevocationEvent::serialNumber).forEach(revoked::add);
    return decided.alreadyRevoked();
  }

  private boolean record(
      Connection connection,
      UUID job,
      int number,
      Optional<BulkReading.Position> position,
      Counts counts)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BATCH)) {
      statement.setObject(1, job);
      statement.setInt(2, number);
      statement.setString(3, owner);
      if (position.isPresent()) {
        statement.setInt(4, position.get().week());
        statement.setBytes(5, position.get().after().octets());
      } else {
        statement.setNull(4, Types.INTEGER);
        statement.setNull(5, Types.BINARY);
      }
      statement.setInt(6, counts.revoked());
      statement.setInt(7, counts.alreadyRevoked());
      statement.setInt(8, counts.refused());
      return statement.executeUpdate() == 1;
    }
  }
}
