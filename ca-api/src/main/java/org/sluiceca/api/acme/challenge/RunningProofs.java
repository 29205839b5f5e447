package org.sluiceca.api.acme.challenge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.registration.store.ProofQueue.Due;
import org.sluiceca.api.registration.store.Shares;
import org.sluiceca.core.registration.RegistrationId;

/**
 * How many proofs this node looks for now, of each account, of accounts from each network and at
 * each endpoint, and how many it may. Thread-safe; one thread calls {@link #begin}.
 */
final class RunningProofs {

  /** Each waits for other machines for seconds, and costs next to nothing meanwhile. */
  static final int SLOTS = 64;

  static final int OF_ACCOUNT_MAX = 8;

  /** Of accounts from one network: two of them leave room at their endpoint. */
  static final int OF_NETWORK_MAX = 12;

  /** Others have the rest of the slots, whatever the clients of one endpoint do. */
  static final int OF_ENDPOINT_MAX = SLOTS / 2;

  private final Semaphore slots = new Semaphore(SLOTS);
  private final Map<RegistrationId, Integer> running = new ConcurrentHashMap<>();
  private final Map<String, Integer> runningFrom = new ConcurrentHashMap<>();
  private final Map<String, Integer> runningAt = new ConcurrentHashMap<>();

  /** Returns how many more may be looked for. */
  int free() {
    return slots.availablePermits();
  }

  /** Returns the numbers of now. */
  Shares shares() {
    return new Shares(
        new Shares.Of<>(running, OF_ACCOUNT_MAX),
        new Shares.Of<>(runningFrom, OF_NETWORK_MAX),
        new Shares.Of<>(runningAt, OF_ENDPOINT_MAX));
  }

  /** Counts one that is looked for from now on; blocks while none is {@link #free}. */
  void begin(Due due) {
    slots.acquireUninterruptibly();
    running.merge(due.request().actor(), 1, Integer::sum);
    due.network().ifPresent(network -> runningFrom.merge(network, 1, Integer::sum));
    runningAt.merge(due.request().endpoint().value(), 1, Integer::sum);
  }

  /** One that was begun has ended. */
  void end(Due due) {
    running.computeIfPresent(due.request().actor(), RunningProofs::less);
    due.network().ifPresent(network -> runningFrom.computeIfPresent(network, RunningProofs::less));
    runningAt.computeIfPresent(due.request().endpoint().value(), RunningProofs::less);
    slots.release();
  }

  private static @Nullable Integer less(Object key, Integer count) {
    return count == 1 ? null : count - 1;
  }
}
