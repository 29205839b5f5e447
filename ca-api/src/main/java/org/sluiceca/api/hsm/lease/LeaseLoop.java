package org.sluiceca.api.hsm.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.hsm.limit.lease.LeaseController;
import org.sluiceca.hsm.limit.lease.LeaseStore;

/**
 * Keeps a node's leases of the tokens that it shares: one platform thread, one cycle of each token
 * a second. A database that does not answer only costs the lease: the node goes on alone, and
 * signing never waits for this thread.
 */
public final class LeaseLoop implements AutoCloseable {

  /** Above a cycle's own limits: connection, two statements, socket. */
  private static final Duration JOIN = Duration.ofSeconds(5);

  private static final long PERIOD_NANOS = LeaseController.PERIOD.toNanos();

  private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);

  private final Supplier<List<SharedToken>> tokens;
  private final String node;
  private final LeaseStore store;

  /** Changed by the loop's thread alone; read by any thread. */
  private final Map<SharedToken, LeaseCycle> turns = new ConcurrentHashMap<>();

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  /**
   * Shares the tokens that there are at each cycle; {@link #start} starts the thread.
   *
   * @param tokens must not block
   * @param node this process; differs from every other, this node's earlier processes included
   */
  public LeaseLoop(Supplier<List<SharedToken>> tokens, String node, LeaseStore store) {
    this.tokens = tokens;
    this.node = node;
    this.store = store;
    this.thread = Thread.ofPlatform().name("lease-loop").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  private void turns() {
    List<SharedToken> now = tokens.get();
    turns.keySet().retainAll(now);
    now.forEach(
        token ->
            turn(
                turns.computeIfAbsent(
                    token, t -> new LeaseCycle(t, node, store, System::nanoTime))));
  }

  private void run() {
    // Each node in a step of its own: else all would ask in the same millisecond.
    long next = System.nanoTime() + ThreadLocalRandom.current().nextLong(PERIOD_NANOS);
    try {
      while (!stopped.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        turns();
        long now = System.nanoTime();
        // In step, however long a cycle took; missed cycles are not made up for.
        next += PERIOD_NANOS * Math.max(1, 1 + (now - next) / PERIOD_NANOS);
      }
      turns.values().forEach(LeaseCycle::leave);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The loop of an owned thread: whatever happens, there is a next time. */
  private static void turn(LeaseCycle turn) {
    try {
      turn.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("token {}: a turn of the lease loop failed", turn.hsm(), e);
    }
  }

  /** Returns how a token is shared, if it is. Takes no lock and makes no query. */
  public Optional<LeaseStatus> status(String hsm) {
    return turns.values().stream()
        .filter(turn -> turn.hsm().equals(hsm))
        .findFirst()
        .map(LeaseCycle::status);
  }

  /**
   * Ends the thread after its present cycle and gives the leases back; waits up to 5 s for that.
   */
  @Override
  public void close() {
    stopped.countDown();
    try {
      if (!thread.join(JOIN)) {
        LOG.warn("the lease loop does not end; it is left behind");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
