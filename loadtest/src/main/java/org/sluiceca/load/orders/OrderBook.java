package org.sluiceca.load.orders;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * Which orders of one requester are confirmed, by their numbers. What a batch does not confirm is
 * sent again, under the same key. Thread-safe.
 */
final class OrderBook {

  private final int count;
  private final BitSet confirmed;
  private final Deque<Integer> unsent = new ArrayDeque<>();

  OrderBook(int count) {
    this.count = count;
    this.confirmed = new BitSet(count);
    for (int i = 0; i < count; i++) {
      unsent.addLast(i);
    }
  }

  /** Returns the next orders to send, none if all are confirmed or under way. */
  synchronized List<Integer> take(int most) {
    List<Integer> batch = new ArrayList<>();
    while (batch.size() < most && !unsent.isEmpty()) {
      batch.add(unsent.removeFirst());
    }
    return batch;
  }

  synchronized void confirm(int order) {
    confirmed.set(order);
  }

  /** Takes back what a batch did not confirm. */
  synchronized void giveBack(Collection<Integer> batch) {
    batch.stream().filter(order -> !confirmed.get(order)).forEach(unsent::addFirst);
  }

  synchronized int confirmed() {
    return confirmed.cardinality();
  }

  synchronized boolean isDone() {
    return confirmed.cardinality() == count;
  }
}
