package org.sluiceca.load.day;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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
  private final Deque<Block> waiting = new ArrayDeque<>();
  private final Map<String, Integer> underWay = new HashMap<>();
  private final AtomicReference<@Nullable RuntimeException> fault = new AtomicReference<>();

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
    waiting.clear();
    waiting.addAll(blocks);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> senders = new ArrayList<>();
      for (int i = 0; i < PER_NODE * ports.size(); i++) {
        int node = i % ports.size();
        senders.add(threads.submit(() -> sendAll(node, isTimeUp)));
      }
      try {
        watch(senders, look);
        requireSound(senders);
      } catch (InterruptedException e) {
        throw Wait.interrupted(e);
      } finally {
        // Whatever ended it: they would go on sending.
        threads.shutdownNow();
      }
    }
    RuntimeException seen = fault.get();
    if (seen != null) {
      throw new TrialException("batches had to stop", seen);
    }
  }

  private void watch(List<Future<?>> senders, Runnable look) throws InterruptedException {
    long count = sender.answered();
    long since = System.nanoTime();
    while (senders.stream().anyMatch(one -> !one.isDone()) && fault.get() == null) {
      Thread.sleep(1_000);
      requireSound(senders);
      look.run();
      if (sender.answered() > count) {
        count = sender.answered();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > SILENCE_NANOS) {
        fail(new TrialException("no certificate for ten minutes"));
      }
    }
  }

  /** Whatever else goes wrong in a sender is a bug, and must not end a run in silence. */
  private static void requireSound(List<Future<?>> senders) {
    for (Future<?> sender : senders) {
      if (sender.state() == Future.State.FAILED) {
        throw new TrialException("a sender of batches broke", sender.exceptionNow());
      }
    }
  }

  private void sendAll(int node, BooleanSupplier isTimeUp) {
    try {
      while (!isTimeUp.getAsBoolean() && fault.get() == null) {
        Block block = take(node);
        if (block == null) {
          if (isAllTaken()) {
            return;
          }
          // Those left are of requesters who have all they may at this node.
          Thread.sleep(20);
          continue;
        }
        try {
          send(block, ports.get(node));
        } finally {
          release(node, block);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      fail(new TrialException("cannot write the journal", e));
    } catch (TrialException e) {
      fail(e);
    }
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

  private void fail(RuntimeException e) {
    boolean ignored = fault.compareAndSet(null, e);
  }

  /** The first block whose requester may have one more batch at this node. */
  private @Nullable Block take(int node) {
    synchronized (waiting) {
      for (Iterator<Block> each = waiting.iterator(); each.hasNext(); ) {
        Block block = each.next();
        String key = node + block.requester();
        if (underWay.getOrDefault(key, 0) < PER_REQUESTER) {
          int ignored = underWay.merge(key, 1, Integer::sum);
          each.remove();
          return block;
        }
      }
      return null;
    }
  }

  private void release(int node, Block block) {
    synchronized (waiting) {
      int ignored = underWay.merge(node + block.requester(), -1, Integer::sum);
    }
  }

  private boolean isAllTaken() {
    synchronized (waiting) {
      return waiting.isEmpty();
    }
  }
}
