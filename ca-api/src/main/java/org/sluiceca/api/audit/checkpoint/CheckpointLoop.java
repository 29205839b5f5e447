package org.sluiceca.api.audit.checkpoint;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.CheckpointPace;
import org.sluiceca.core.audit.CheckpointPace.Look;
import org.sluiceca.core.audit.Checkpoints;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.time.Deadline;

/**
 * Takes a checkpoint if anything happened and none covers it that is younger than the period, and
 * exports it. Owns one platform thread. Any node does so whose tokens hold the audit key, and one
 * checkpoint covers the chains of all.
 */
public final class CheckpointLoop implements AutoCloseable {

  /** A shorter period would keep a token busy that signs seven times a second. */
  static final Duration PERIOD_MIN = Duration.ofSeconds(1);

  /** What was not covered can be changed unseen: a day of that is too long. */
  static final Duration PERIOD_MAX = Duration.ofDays(1);

  /** A signature in the first lane, on a token that is busy with others. */
  private static final Duration SIGN_MAX = Duration.ofSeconds(20);

  /** For the last one of a node that ends: the launcher waits 40 s in all. */
  private static final Duration LAST_MAX = Duration.ofSeconds(5);

  private static final RequesterId REQUESTER = new RequesterId("sluice.audit");
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointLoop.class);
  private static final double NANOS = 1e9;

  private final Checkpoints checkpoints;
  private final CheckpointFiles files;
  private final CheckpointPace pace;
  private final BooleanSupplier isKeyHere;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final Thread thread;

  /** Of chains; owned by the loop's thread, then by the one that closes it. */
  private final Set<String> reported = new HashSet<>();

  private volatile int missing;

  /** Since when everything may be uncovered; written by the loop's thread. */
  private volatile long coveredAtNanos = System.nanoTime();

  /**
   * Takes checkpoints of {@code checkpoints} into {@code files}; {@link #start} starts the thread.
   *
   * @param isKeyHere whether a token of this node holds the audit key now; must not block
   * @throws IllegalArgumentException if the period is not from a second to a day
   */
  public CheckpointLoop(
      Checkpoints checkpoints, CheckpointFiles files, Duration period, BooleanSupplier isKeyHere) {
    if (period.compareTo(PERIOD_MIN) < 0 || period.compareTo(PERIOD_MAX) > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sluice.audit.checkpoint-period %s is not from %s to %s",
              period,
              PERIOD_MIN,
              PERIOD_MAX));
    }
    this.checkpoints = checkpoints;
    this.files = files;
    // Not ThreadLocalRandom.current(): its seed is the calling thread's, not that of the loop's.
    this.pace = new CheckpointPace(period, new SplittableRandom());
    this.isKeyHere = isKeyHere;
    this.thread = Thread.ofPlatform().name("audit-checkpoints").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Returns how many checkpoints this node has taken. */
  public long taken() {
    return taken.get();
  }

  /** Returns how often it could not. */
  public long failures() {
    return failures.get();
  }

  /**
   * Returns of how many chains the database lacked the newest row that this node knows, since the
   * start: a chain that goes on after the gap counts all the same.
   */
  public int missing() {
    return missing;
  }

  /** Returns the seconds since everything was covered, by this node's knowledge. */
  public double ageSeconds() {
    return (System.nanoTime() - coveredAtNanos) / NANOS;
  }

  private void run() {
    Duration wait = pace.first();
    try {
      while (!stopped.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        Look look = pass(SIGN_MAX, pace.spacing());
        wait = pace.next(look, checkpoints.coveredAge());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The loop of an owned thread: whatever happens, there is a next time. */
  private Look pass(Duration longest, Duration spacing) {
    Look look = attempt(longest, spacing);
    reportRefused(checkpoints.refused());
    reportMissing();
    return look;
  }

  private Look attempt(Duration longest, Duration spacing) {
    try {
      // A checkpoint is recorded before it is signed: one that cannot be signed here would stand
      // there unsigned, and keep a node that could from covering the same.
      if (!isKeyHere.getAsBoolean()) {
        checkpoints.look();
        return Look.FAILED;
      }
      Deadline by = Deadline.after(longest, System::nanoTime);
      Checkpoints.Outcome outcome =
          checkpoints.takeIfOlder(new SignSchedule(Lane.STATUS, REQUESTER, by, by), spacing);
      if (outcome.signed().isPresent()) {
        taken.incrementAndGet();
        files.write(outcome.signed().get());
      }
      if (outcome.look() != Look.FAILED) {
        long covered = System.nanoTime() - checkpoints.coveredAge().toNanos();
        // One that had no room for every chain may be the first one: then nothing is known yet.
        if (covered - coveredAtNanos > 0) {
          coveredAtNanos = covered;
        }
      }
      return outcome.look();
    } catch (IOException | RuntimeException | Error e) {
      failures.incrementAndGet();
      LOG.warn("no checkpoint of the audit trail now: {}", String.valueOf(e.getMessage()));
      return Look.FAILED;
    }
  }

  /** One line a look: each of them is read once. */
  private static void reportRefused(List<Long> refused) {
    if (!refused.isEmpty()) {
      LOG.warn(
          "audit checkpoint {} in the database ({} such) is not what the audit key signed under that"
              + " number, and does not count: another program wrote to the database. Run"
              + " ./sluice audit verify against the exported checkpoints",
          refused.getFirst(),
          refused.size());
    }
  }

  /** One line for each chain that lacks a head, when it is first missed. */
  private void reportMissing() {
    for (ChainHead head : checkpoints.missing()) {
      if (reported.add(head.chain())) {
        LOG.error(
            "audit chain {}: row {} was in the database and is not there any more, or is another:"
                + " rows were removed, or an older state of the database was put back. Run"
                + " ./sluice audit verify against the exported checkpoints",
            head.chain(),
            head.sequence());
      }
    }
    missing = reported.size();
  }

  /** Ends the thread, and takes a last checkpoint of what was written until now. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      if (thread.isAlive() && !thread.join(SIGN_MAX)) {
        LOG.warn("the loop of checkpoints does not end; it is left behind");
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    Look _ = pass(LAST_MAX, Duration.ZERO);
  }
}
