package org.sluiceca.api.issuance.store.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.sluiceca.api.issuance.store.commit.GroupCommitState.Batch;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.wait.CoarseTimer;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;
import org.sluiceca.core.time.Ticker;

/**
 * Writes rows of many callers in one transaction: a writer takes what gathered while its last
 * commit ran, at once and without a timer. Thread-safe.
 */
public final class GroupCommit implements AutoCloseable {

  /*
   * Callers, virtual threads mostly, put a row into the state under the lock and park; the lock is
   * held for the queue alone, never over I/O. A row waits, then is taken, then answered. Until it
   * is taken its caller may withdraw it, and then nothing was written; afterwards the caller waits
   * for the definite end of the transaction, which the database's limits bound. Whatever happens,
   * the writer answers every row that it took.
   */

  /** Writes a batch and answers each of its rows, whatever happens. */
  @FunctionalInterface
  public interface BatchWriter {
    void write(List<PendingRow<?>> rows);
  }

  /**
   * The sizes of the group commit.
   *
   * @param waitingMax rows that may wait. 2,048 are eight batches, some 100 ms of work; a request
   *     that would wait behind more than that is better refused at once
   * @param batchMax rows of one transaction. Measured: 32 rows a commit give 8,800/s on one
   *     connection, 256 give 35,400/s, more gain little and delay each other
   * @param writers threads, each with a connection
   */
  public record Sizes(int waitingMax, int batchMax, int writers) {

    public static final Sizes STANDARD = new Sizes(2048, 256, LedgerDatabase.WRITERS);
  }

  // Idle writers and waiters of taken rows look around this often; signals wake them before.
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  // Longer than the writer's attempts at a batch with every limit used up.
  private static final Duration CLOSE_MAX = Duration.ofSeconds(60);

  private final BatchWriter writer;
  private final Ticker ticker;
  private final CoarseTimer clock = new CoarseTimer("ledger-clock");
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("lock")
  private final GroupCommitState state;

  @GuardedBy("lock")
  private boolean closed;

  private GroupCommit(Sizes sizes, BatchWriter writer, Ticker ticker) {
    this.writer = writer;
    this.ticker = ticker;
    this.state = new GroupCommitState(sizes.waitingMax(), sizes.batchMax());
  }

  /** Starts the writer threads. */
  public static GroupCommit start(Sizes sizes, BatchWriter writer, Ticker ticker) {
    GroupCommit commit = new GroupCommit(sizes, writer, ticker);
    for (int i = 0; i < sizes.writers(); i++) {
      commit.threads.add(
          Thread.ofPlatform().daemon().name("ledger-writer-" + i).start(commit::writeUntilClosed));
    }
    return commit;
  }

  /**
   * Waits for the answer to {@code row}, which the calling thread must have made.
   *
   * @throws LedgerUnavailable at once if too many rows wait or the ledger is closed; else if the
   *     row was withdrawn at its deadline, or could not be written
   */
  public <A> A submit(PendingRow<A> row) {
    enqueue(row);
    boolean interrupted = false;
    boolean taken = false;
    try {
      Deadline look = look(row);
      // Asked after the time: an answer that comes once that has passed wakes this thread.
      while (!row.isAnswered()) {
        if (!taken && (interrupted || row.deadline().hasPassed(ticker))) {
          if (withdraw(row)) {
            throw new LedgerUnavailable(
                interrupted ? "interrupted before the write" : "not written before the deadline");
          }
          taken = true;
        }
        long left = look.remainingNanos(ticker);
        clock.park(
            this,
            System.nanoTime()
                + (taken ? Math.min(LOOK_NANOS, left > 0 ? left : LOOK_NANOS) : left));
        interrupted |= Thread.interrupted();
        look = look(row);
      }
      return row.result();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A look that brought nothing is not repeated: the row's own deadline is what is left. */
  private Deadline look(PendingRow<?> row) {
    return row.lookBy().hasPassed(ticker) ? row.deadline() : row.lookBy();
  }

  /**
   * Queues a row without waiting. The answer is waited for as by {@link #submit}, but no longer
   * than its caller says, and an interrupt leaves the row as it is.
   *
   * @throws LedgerUnavailable at once if too many rows wait or the ledger is closed
   */
  public <A> Pending<A> start(PendingRow<A> row) {
    enqueue(row);
    return until -> await(row, until) ? Optional.of(row.result()) : Optional.empty();
  }

  private boolean await(PendingRow<?> row, Deadline until) throws InterruptedException {
    row.isAwaitedHere();
    while (!row.isAnswered()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (until.hasPassed(ticker)) {
        return false;
      }
      Deadline next = until;
      if (!row.deadline().hasPassed(ticker)) {
        next = until.min(row.deadline());
      } else if (withdraw(row)) {
        throw new LedgerUnavailable("not written before the deadline");
      }
      clock.park(this, System.nanoTime() + Math.min(LOOK_NANOS, next.remainingNanos(ticker)));
    }
    return true;
  }

  /** Returns how many rows wait for a writer now. */
  public int waiting() {
    lock.lock();
    try {
      return state.size();
    } finally {
      lock.unlock();
    }
  }

  /** Refuses new rows, writes those that wait, and ends the writers. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
    long end = ticker.nanoTime() + CLOSE_MAX.toNanos();
    for (Thread thread : threads) {
      try {
        thread.join(Duration.ofNanos(Math.max(1, end - ticker.nanoTime())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    clock.close();
  }

  private void enqueue(PendingRow<?> row) {
    lock.lock();
    try {
      if (closed) {
        throw new LedgerUnavailable("the ledger is closed");
      }
      if (!state.offer(row)) {
        throw new LedgerUnavailable("too many rows wait for the ledger");
      }
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  private boolean withdraw(PendingRow<?> row) {
    lock.lock();
    try {
      return state.withdraw(row);
    } finally {
      lock.unlock();
    }
  }

  private void writeUntilClosed() {
    try {
      while (awaitWork()) {
        letOthersBring();
        Batch batch = take();
        batch.expired().forEach(row -> row.refuse("not written before the deadline", null));
        write(batch.rows());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Where processors are scarce, those who have a row to bring come first, and more rows share a
   * commit; where one is free this returns at once (docs/performance/SPEED.md).
   */
  // It is a matter of cost: whatever the scheduler makes of it, all rows are written.
  @SuppressWarnings("ThreadPriorityCheck")
  private static void letOthersBring() {
    Thread.yield();
  }

  private void write(List<PendingRow<?>> rows) {
    if (rows.isEmpty()) {
      return;
    }
    Throwable cause = null;
    try {
      writer.write(rows);
    } catch (RuntimeException e) {
      // The loop of an owned thread: this batch fails, the writer lives.
      cause = e;
    } finally {
      for (PendingRow<?> row : rows) {
        if (!row.isAnswered()) {
          row.refuse("the ledger's writer failed", cause);
        }
      }
    }
  }

  /** Returns false once closed and drained. */
  private boolean awaitWork() throws InterruptedException {
    lock.lock();
    try {
      while (state.isEmpty() && !closed) {
        long left = work.awaitNanos(LOOK_NANOS);
        assert left <= LOOK_NANOS;
      }
      return !state.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private Batch take() {
    lock.lock();
    try {
      return state.take(ticker.nanoTime());
    } finally {
      lock.unlock();
    }
  }
}
