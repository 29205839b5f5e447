package org.sluiceca.core.order;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.sluiceca.core.request.RequesterId;

/**
 * Whose orders are taken next: requesters in turns, one order each, for as long as they have some.
 * Where a round was broken off the next one goes on, so with many requesters and little room each
 * has its turn. Not thread-safe: the loop that takes orders owns it.
 */
public final class OrderRotation {

  /** Who had the last turn; a name that no longer waits still says where to go on. */
  private String last;

  /**
   * Starts behind the requester of this name.
   *
   * @param last different on each node, so that they do not all begin with the same one
   */
  public OrderRotation(String last) {
    this.last = last;
  }

  /**
   * Returns how many orders to take of whom, {@code max} in all at most.
   *
   * @param depths how many each has; it may have fewer meanwhile
   */
  public SequencedMap<RequesterId, Integer> next(BacklogDepths depths, int max) {
    SequencedMap<RequesterId, Integer> turns = new LinkedHashMap<>();
    List<RequesterId> round = fromLast(depths.byRequester());
    int left = max;
    while (left > 0 && !round.isEmpty()) {
      List<RequesterId> still = new ArrayList<>();
      for (RequesterId requester : round) {
        if (left == 0) {
          return turns;
        }
        int given = turns.merge(requester, 1, Integer::sum);
        last = requester.value();
        left--;
        if (given < depths.of(requester)) {
          still.add(requester);
        }
      }
      round = still;
    }
    return turns;
  }

  private List<RequesterId> fromLast(Map<RequesterId, Long> byName) {
    List<RequesterId> round = new ArrayList<>(byName.keySet());
    int next = 0;
    while (next < round.size() && round.get(next).value().compareTo(last) <= 0) {
      next++;
    }
    Collections.rotate(round, -next);
    return round;
  }
}
