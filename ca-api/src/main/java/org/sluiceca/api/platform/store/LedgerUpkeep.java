package org.sluiceca.api.platform.store;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.PeriodicTask;

/**
 * Keeps partitions ahead and the tables next to the ledger bounded: at start and once a day, on
 * every node, for it does no harm twice. Owns one platform thread. Intents and outcomes are never
 * touched.
 */
public final class LedgerUpkeep implements AutoCloseable {

  /**
   * How long an Idempotency-Key stands for its first request: clients repeat within minutes, a
   * queue that was down over a weekend within days.
   */
  static final Duration KEYS_KEPT = Duration.ofDays(7);

  /**
   * Claims matter until their intent has an outcome; the days after that are for the analysis of a
   * crash.
   */
  static final Duration CLAIMS_KEPT = Duration.ofDays(7);

  /** Longer than any session of the console may rest (docs/CONFIGURATION.md). */
  static final Duration SESSIONS_KEPT = Duration.ofDays(1);

  /** What the live page shows of the past. */
  static final Duration SECONDS_KEPT = Duration.ofHours(1);

  private static final Duration PERIOD = Duration.ofDays(1);

  private static final Duration RETRY = Duration.ofMinutes(15);

  /** Rows of one transaction: some 100 ms, far below the statement timeout. */
  private static final int BATCH_MAX = 5_000;

  // A row that is updated meanwhile has another ctid and is left alone.
  private static final String DROP_KEYS =
      """
      DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
        SELECT k.ctid FROM idempotency k
        WHERE k.recorded_at < now() - ? * interval '1 second'
          AND EXISTS (SELECT FROM outcome o
            WHERE o.expiry_week = k.expiry_week AND o.serial = k.serial)
        LIMIT ?))
      """;

  private static final String DROP_CLAIMS =
      """
      DELETE FROM claim WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM claim c
        WHERE c.expires_at < now() - ? * interval '1 second'
          AND EXISTS (SELECT FROM outcome o
            WHERE o.expiry_week = c.expiry_week AND o.serial = c.serial)
        LIMIT ?))
      """;

  /** Sessions of the console are removed with each sign-in: this is for a console without. */
  private static final String DROP_SESSIONS =
      """
      DELETE FROM console_session WHERE id_sha256 = ANY (ARRAY(
        SELECT s.id_sha256 FROM console_session s
        WHERE s.seen_at < now() - ? * interval '1 second'
        LIMIT ?))
      """;

  /** Figures of nodes are removed while a live page is open: this is for the time after. */
  private static final String DROP_SECONDS =
      """
      DELETE FROM node_second WHERE ctid = ANY (ARRAY(
        SELECT s.ctid FROM node_second s
        WHERE s.second < now() - ? * interval '1 second'
        LIMIT ?))
      """;

  private static final Logger LOG = LoggerFactory.getLogger(LedgerUpkeep.class);

  private final LedgerDatabase database;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              LedgerUpkeep.class,
              "ledger-upkeep",
              "upkeep of the ledger is tried again in " + RETRY,
              Duration.ZERO,
              RETRY,
              Duration.ZERO),
          this::step);

  /** Keeps {@code database}; {@link #start} starts the thread. */
  public LedgerUpkeep(LedgerDatabase database) {
    this.database = database;
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  private Duration step(BooleanSupplier isStopping) {
    pass(isStopping);
    return PERIOD;
  }

  /** Does once what is to be done daily. */
  void pass() {
    pass(() -> false);
  }

  private void pass(BooleanSupplier isStopping) {
    database.partitions().createAhead();
    long keys = drop(DROP_KEYS, KEYS_KEPT, isStopping);
    long claims = drop(DROP_CLAIMS, CLAIMS_KEPT, isStopping);
    long sessions = drop(DROP_SESSIONS, SESSIONS_KEPT, isStopping);
    long seconds = drop(DROP_SECONDS, SECONDS_KEPT, isStopping);
    if (keys + claims + sessions + seconds > 0) {
      LOG.info(
          "dropped {} idempotency keys, {} claims, {} sessions and {} rows of figures",
          keys,
          claims,
          sessions,
          seconds);
    }
  }

  private long drop(String statement, Duration kept, BooleanSupplier isStopping) {
    long dropped = 0;
    int last = BATCH_MAX;
    while (last == BATCH_MAX && !isStopping.getAsBoolean()) {
      last =
          database
              .sql()
              .run(
                  "old idempotency keys, claims, sessions and figures cannot be dropped",
                  jdbc -> jdbc.sql(statement).params(kept.toSeconds(), BATCH_MAX).update());
      dropped += last;
    }
    return dropped;
  }

  /** Ends the thread after its present batch. */
  @Override
  public void close() {
    task.close();
  }
}
