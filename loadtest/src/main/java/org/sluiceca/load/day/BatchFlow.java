package org.sluiceca.load.day;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.Block;
import org.sluiceca.load.day.state.Entry;
import org.sluiceca.load.day.state.Journal;

/**
 * Keeps as many batches under way as the nodes take, in a closed loop, and journals each block when
 * all of it is answered. Used by one thread.
 */
final class BatchFlow {

  /** docs/protocols/REST.md: a node has four at a time, two of each requester. */
  private static final int PER_NODE = 4;

  private static final int PER_REQUESTER = 2;

  /** A service that issues nothing for so long is broken, or the machine is. */
  private static final long SILENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final BlockSender sender;
  private final Journal journal;
  private final List<Integer> ports;
  private final Map<String, Semaphore> places = new ConcurrentHashMap<>();

  /**
   * Sends to nodes at these ports.
   *
   * @param journal to which finished blocks are added
   */
  BatchFlow(BlockSender sender, Journal journal, List<Integer> ports) {
    this.sender = sender;
    this.journal = journal;
    this.ports = List.copyOf(ports);
  }

  /**
   * Sends blocks until all are done, or time is up; blocks until those under way have their end.
   *
   * @param isTimeUp asked before each block
   * @param look called every second meanwhile
   * @throws TrialException if the service refuses what it must not, or is silent for ten minutes
   */
  void run(List<Block> blocks, BooleanSupplier isTimeUp, Runnable look) {
    Queue<Block> waiting = new ConcurrentLinkedQueue<>(blocks);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> senders = new ArrayList<>();
      for (int i = 0; i < PER_NODE * ports.size(); i++) {
        int port = ports.get(i % ports.size());
        senders.add(threads.submit(() -> sendAll(port, waiting, isTimeUp)));
      }
      try {
        watch(senders, look);
      } catch (InterruptedException e) {
        throw Wait.interrupted(e);
      } finally {
        // Whatever ended it: they would go on sending.
        threads.shutdownNow();
      }
    }
  }

  private void watch(List<Future<?>> senders, Runnable look) throws InterruptedException {
    long count = sender.answered();
    long since = System.nanoTime();
    while (senders.stream().anyMatch(one -> !one.isDone())) {
      Thread.sleep(1_000);
      requireSound(senders);
      look.run();
      if (sender.answered() > count) {
        count = sender.answered();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > SILENCE_NANOS) {
        throw new TrialException("no certificate for ten minutes");
      }
    }
    requireSound(senders);
  }

  private static void requireSound(List<Future<?>> senders) {
    for (Future<?> sender : senders) {
      if (sender.state() == Future.State.FAILED) {
        throw new TrialException("batches had to stop", sender.exceptionNow());
      }
    }
  }

  /** Those of a requester who has all places at this node wait for one: there are few such. */
  private @Nullable Void sendAll(int port, Queue<Block> waiting, BooleanSupplier isTimeUp)
      throws InterruptedException, IOException {
    for (Block block = next(waiting, isTimeUp); block != null; block = next(waiting, isTimeUp)) {
      Semaphore own =
          places.computeIfAbsent(port + block.requester(), n -> new Semaphore(PER_REQUESTER));
      own.acquire();
      try {
        send(block, port);
      } finally {
        own.release();
      }
    }
    return null;
  }

  private static @Nullable Block next(Queue<Block> waiting, BooleanSupplier isTimeUp) {
    return isTimeUp.getAsBoolean() ? null : waiting.poll();
  }

  private void send(Block block, int port) throws InterruptedException, IOException {
    BlockSender.Tally tally = new BlockSender.Tally(block);
    while (!tally.isComplete()) {
      sender.send(tally, port);
    }
    journal.append(
        new Entry.Issued(
            System.currentTimeMillis(),
            block.index(),
            block.count(),
            tally.fingerprint(),
            tally.replayed()));
  }
}
