package org.sluiceca.api.auth.use;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.core.failure.CaUnavailable;

/**
 * The hours in which this node's credentials were last used: kept in memory, and written once a
 * minute by a thread of its own, each credential at most once an hour. A node that is killed loses
 * the uses of its last minute; one that stops in order writes them. Thread-safe.
 */
public final class CredentialUses implements AutoCloseable {

  /** How much a killed node loses. */
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  /** As many credentials as {@code CredentialCache} keeps, 100 bytes each: 1 MB. */
  static final int WAITING_MAX = 10_000;

  /** 10 MB. Forgetting them costs a question to the database for each, and no row. */
  static final int WRITTEN_MAX = 100_000;

  /** In one statement: some milliseconds. */
  private static final int BATCH_MAX = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(CredentialUses.class);

  /** Hours to write, by credential. */
  private final ConcurrentMap<UUID, Instant> waiting = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();

  /** Hours that are written, of the newest hour. Guarded by lock. */
  private final Map<UUID, Instant> written = new HashMap<>();

  private final Consumer<Map<UUID, Instant>> store;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              CredentialUses.class,
              "credential-uses",
              "the last uses of credentials are not recorded",
              PERIOD,
              PERIOD,
              STOP_MAX),
          isStopping -> {
            write();
            return PERIOD;
          });

  /**
   * Writes to {@code store}, which may block, throw {@link CaUnavailable}, and be given the same
   * again; {@link #start} starts the thread.
   */
  public CredentialUses(Consumer<Map<UUID, Instant>> store) {
    this.store = store;
  }

  /** Starts the thread. Once. */
  public void start() {
    task.start();
  }

  /**
   * Remembers a use. Never blocks; where {@link #WAITING_MAX} other credentials wait to be written,
   * this use is forgotten.
   */
  public void note(UUID credential, Instant at) {
    if (waiting.size() < WAITING_MAX || waiting.containsKey(credential)) {
      waiting.merge(
          credential,
          at.truncatedTo(ChronoUnit.HOURS),
          (known, hour) -> hour.isAfter(known) ? hour : known);
    }
  }

  /**
   * Writes what is not written yet. Blocks as the store does.
   *
   * @throws CaUnavailable if the store does not answer: what was not written is kept
   */
  void write() {
    lock.lock();
    try {
      Map<UUID, Instant> batch = new HashMap<>();
      for (Map.Entry<UUID, Instant> use : waiting.entrySet()) {
        if (use.getValue().equals(written.get(use.getKey()))) {
          waiting.remove(use.getKey(), use.getValue());
        } else {
          batch.put(use.getKey(), use.getValue());
        }
        if (batch.size() == BATCH_MAX) {
          write(batch);
        }
      }
      write(batch);
    } finally {
      lock.unlock();
    }
  }

  /** Empties the batch. The caller has the lock. */
  private void write(Map<UUID, Instant> batch) {
    if (batch.isEmpty()) {
      return;
    }
    store.accept(Map.copyOf(batch));
    batch.forEach(waiting::remove);
    Instant newest = batch.values().stream().max(Instant::compareTo).orElseThrow();
    written.values().removeIf(hour -> hour.isBefore(newest));
    if (written.size() + batch.size() > WRITTEN_MAX) {
      written.clear();
    }
    written.putAll(batch);
    batch.clear();
  }

  /** Ends the thread and writes what waits. Idempotent. */
  @Override
  public void close() {
    task.close();
    try {
      write();
    } catch (CaUnavailable e) {
      LOG.warn("the last uses of {} credentials are lost: {}", waiting.size(), e.getMessage());
    }
  }
}
