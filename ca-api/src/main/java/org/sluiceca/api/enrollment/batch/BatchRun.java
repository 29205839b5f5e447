package org.sluiceca.api.enrollment.batch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import tools.jackson.databind.json.JsonMapper;

/**
 * One batch, from its first line to its last result. The caller's thread reads; each line is a
 * virtual thread, and so few are under way that the client is read only as fast as the line takes
 * its work.
 */
final class BatchRun {

  /** What a token at 175 ms keeps busy at 180/s; more would only wait, and hold places. */
  static final int LINES_AT_ONCE = 32;

  /** Lines that are read and not yet answered, parsed some three times as large: 2 MB. */
  private static final int OCTETS_AT_ONCE = 512 * 1024;

  /** A client that takes longer than this over one result has stopped reading. */
  private static final long STUCK_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

  private static final long LOOK_SECONDS = 2;

  /** Within this a batch of its most lines is done at 30/s; the rest goes in another request. */
  static final Duration TIME_MAX = Duration.ofHours(1);

  /** Saturated, over a quota, no token, the ledger away, the node stopping. */
  private static final Set<Integer> NO_PLACE = Set.of(429, 503);

  private static final Logger LOG = LoggerFactory.getLogger(BatchRun.class);

  /** What brings a line through the line. */
  interface Enroller {

    /** As {@link LineEnrollment#enroll}. */
    LineResult enroll(Requester requester, BatchLines.Line line, CountDownLatch over)
        throws InterruptedException;
  }

  private final Enroller enroller;
  private final JsonMapper json;
  private final Ticker ticker;
  private final Runnable alive;
  private final Consumer<LineResult> results;

  /**
   * Prepares a run.
   *
   * @param alive called every two seconds at least, by the caller's thread, while the client does
   *     its part
   * @param results hears of every result, also of those that the client did not take
   */
  BatchRun(
      Enroller enroller,
      JsonMapper json,
      Ticker ticker,
      Runnable alive,
      Consumer<LineResult> results) {
    this.enroller = enroller;
    this.json = json;
    this.ticker = ticker;
    this.alive = alive;
    this.results = results;
  }

  /**
   * Enrolls every line of {@code in} and writes a result of each to {@code out}, and one more if
   * not all could be read, with the number of the first that was not. Returns when nothing of it is
   * under way any more.
   */
  void run(Requester requester, InputStream in, OutputStream out) throws InterruptedException {
    Batch batch = new Batch(requester, new ResultStream(out, json, ticker));
    Optional<LineResult> end;
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("batch-line-", 0).factory())) {
      end = submitAll(new BatchLines(in, ticker), batch, threads);
      batch.awaitAll();
    }
    if (end.isPresent()) {
      results.accept(end.get());
      boolean _ = batch.stream.write(end.get());
    }
  }

  private Optional<LineResult> submitAll(BatchLines lines, Batch batch, ExecutorService threads)
      throws InterruptedException {
    Deadline until = Deadline.after(TIME_MAX, ticker);
    try {
      while (true) {
        alive.run();
        if (until.hasPassed(ticker)) {
          return end(
              lines.count() + 1, ProblemType.REQUEST_TIMEOUT, "a batch takes an hour at most");
        }
        Optional<BatchLines.Line> line = lines.next();
        if (line.isEmpty()) {
          return Optional.empty();
        }
        int octets = line.get() instanceof BatchLines.Line.Text text ? text.octets() : 0;
        if (!batch.take(octets)) {
          return batch.end(line.get().number());
        }
        threads.execute(() -> batch.enroll(line.get(), octets));
      }
    } catch (ProblemException e) {
      return Optional.of(LineResult.failed(null, lines.count() + 1, e));
    } catch (IOException e) {
      LOG.debug("the body of a batch broke off: {}", e.getMessage());
      return end(
          lines.count() + 1, ProblemType.MALFORMED_REQUEST, "the body broke off or stood still");
    }
  }

  private static Optional<LineResult> end(int line, ProblemType type, String detail) {
    return Optional.of(LineResult.failed(null, line, new ProblemException(type, detail)));
  }

  /** What the threads of one batch share. */
  private final class Batch {

    private final Requester requester;
    private final ResultStream stream;
    private final Semaphore lines = new Semaphore(LINES_AT_ONCE);
    private final Semaphore octets = new Semaphore(OCTETS_AT_ONCE);

    /** Zero when the client is gone, or a line found no place. */
    private final CountDownLatch over = new CountDownLatch(1);

    /** A line that found no place, or no node that goes on. */
    private volatile @Nullable LineResult noPlace;

    Batch(Requester requester, ResultStream stream) {
      this.requester = requester;
      this.stream = stream;
    }

    /** Why a line was not begun; nothing is said to who is gone. */
    Optional<LineResult> end(int line) {
      return Optional.ofNullable(noPlace).map(cause -> cause.ofTheRest(line));
    }

    /** Waits for room; returns whether there is any, and a client that still wants results. */
    boolean take(int size) throws InterruptedException {
      if (!take(lines, 1)) {
        return false;
      }
      if (!take(octets, size)) {
        lines.release();
        return false;
      }
      return true;
    }

    private boolean take(Semaphore room, int permits) throws InterruptedException {
      while (over.getCount() > 0) {
        if (room.tryAcquire(permits, LOOK_SECONDS, TimeUnit.SECONDS)) {
          return true;
        }
        look();
      }
      return false;
    }

    void awaitAll() throws InterruptedException {
      while (!lines.tryAcquire(LINES_AT_ONCE, LOOK_SECONDS, TimeUnit.SECONDS)) {
        look();
      }
    }

    private void look() {
      if (stream.stuckNanos() > STUCK_NANOS_MAX) {
        // No thread extends the time of this request any more, so its connection is cut.
        over.countDown();
      } else {
        alive.run();
      }
    }

    void enroll(BatchLines.Line line, int size) {
      try {
        LineResult result = enroller.enroll(requester, line, over);
        results.accept(result);
        if (NO_PLACE.contains(result.status())) {
          // Those behind it would find none either, and be read only to be refused.
          noPlace = result;
          over.countDown();
        }
        if (!stream.write(result)) {
          over.countDown();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        octets.release(size);
        lines.release();
      }
    }
  }
}
