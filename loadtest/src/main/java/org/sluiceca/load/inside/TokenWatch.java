package org.sluiceca.load.inside;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Asks nodes once a second how their tokens stand, on a thread of its own, until it is closed. */
public final class TokenWatch implements AutoCloseable {

  private static final long PERIOD_MILLIS = 1000;

  private final IntFunction<Optional<String>> metrics;
  private final int nodes;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Queue<TokenLook> seen = new ConcurrentLinkedQueue<>();

  /**
   * Begins at once.
   *
   * @param metrics of a node by its number, empty if it does not answer; blocks for seconds at most
   * @param nodes how many there are; with 0 no node is asked
   */
  public TokenWatch(IntFunction<Optional<String>> metrics, int nodes) {
    this.metrics = metrics;
    this.nodes = nodes;
    if (nodes > 0) {
      Thread ignored = Thread.ofPlatform().name("token-watch").daemon().start(this::watch);
    }
  }

  private void watch() {
    try {
      while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        List<List<Meter>> said =
            IntStream.range(0, nodes)
                .mapToObj(metrics)
                .map(text -> Meter.parse(text.orElse("")))
                .toList();
        seen.addAll(TokenLook.of(System.nanoTime(), said));
      }
    } catch (InterruptedException e) {
      // Only a dying process interrupts it.
      Thread.currentThread().interrupt();
    }
  }

  /** Returns all looks so far, in the order of time. */
  public List<TokenLook> seen() {
    return List.copyOf(seen);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
