package org.sluiceca.core.order;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.sluiceca.core.request.RequesterId;

/**
 * How many orders each requester has in the backlog, as of a moment.
 *
 * @param byRequester those that have some, by name
 * @param taken how many were taken out of the backlog since it was made: only differences of it
 *     mean something
 */
public record BacklogDepths(SequencedMap<RequesterId, Long> byRequester, long taken) {

  public BacklogDepths {
    TreeMap<RequesterId, Long> some = new TreeMap<>(Comparator.comparing(RequesterId::value));
    byRequester.forEach(
        (requester, orders) -> {
          if (orders > 0) {
            some.put(requester, orders);
          }
        });
    byRequester = Collections.unmodifiableSequencedMap(some);
  }

  /** Nothing waits. */
  public static final BacklogDepths EMPTY = new BacklogDepths(new LinkedHashMap<>(), 0);

  /** Returns how many wait in all. */
  public long total() {
    return byRequester.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how many a requester has. */
  public long of(RequesterId requester) {
    return byRequester.getOrDefault(requester, 0L);
  }

  /**
   * Returns how many orders are taken before one that has {@code own} of its own requester's before
   * it: requesters are served in turns, so each of the others has as many served, or all that it
   * has.
   */
  public long ahead(RequesterId requester, long own) {
    long ahead = own;
    for (var other : byRequester.entrySet()) {
      if (!other.getKey().equals(requester)) {
        ahead += Math.min(own, other.getValue());
      }
    }
    return ahead;
  }
}
