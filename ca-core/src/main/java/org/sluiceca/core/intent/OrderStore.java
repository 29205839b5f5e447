package org.sluiceca.core.intent;

import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.order.BacklogDepths;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The backlog of a {@link LedgerStore}: intents that no node owns until they are taken or taken
 * over. Recovery leaves the intents in the backlog alone. Every implementation passes {@code
 * OrderStoreContract}. Thread-safe; every method blocks and fails as those of LedgerStore do.
 */
public interface OrderStore {

  /**
   * Records an intent and its idempotency key, as {@link LedgerStore#recordIntent}, and puts it
   * into the backlog rather than claiming it, in one transaction.
   *
   * @param recorder who records it, and owns nothing by that
   */
  IntentAnswer recordOrder(Intent intent, NodeId recorder, Deadline deadline);

  /**
   * Takes orders out of the backlog, each requester's oldest first, and claims them by the next
   * epoch in the same transaction; of several callers one gets each. Those that were decided
   * meanwhile leave the backlog and are not returned.
   *
   * @param most how many of whom
   */
  List<TakenOver> takeOrders(ClaimTerms terms, SequencedMap<RequesterId, Integer> most);

  /** Returns a backlog for lines without orders: it refuses them and has none. */
  static OrderStore none() {
    return new OrderStore() {
      @Override
      public IntentAnswer recordOrder(Intent intent, NodeId recorder, Deadline deadline) {
        throw new IllegalStateException("this line takes no orders");
      }

      @Override
      public List<TakenOver> takeOrders(ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
        return List.of();
      }

      @Override
      public BacklogDepths depths() {
        return BacklogDepths.EMPTY;
      }

      @Override
      public Optional<Long> before(SerialNumber serialNumber) {
        return Optional.empty();
      }
    };
  }

  /** Returns how many wait for whom. */
  BacklogDepths depths();

  /**
   * Returns how many of its requester's orders stand before this one, near enough to tell when its
   * turn comes; empty if it is not in the backlog.
   */
  Optional<Long> before(SerialNumber serialNumber);
}
