package org.sluiceca.api.registration.store;

import java.util.List;
import java.util.Map;
import org.sluiceca.core.registration.RegistrationId;

/**
 * How many proofs a node looks for at once of each account, of accounts from each network and at
 * each endpoint, and how many it may.
 */
public record Shares(Of<RegistrationId> actors, Of<String> networks, Of<String> endpoints) {

  /**
   * Of one kind.
   *
   * @param running how many are looked for now; those that are absent have none
   * @param max how many may be
   */
  public record Of<K>(Map<K, Integer> running, int max) {

    /** Copies the counts. */
    public Of {
      running = Map.copyOf(running);
    }

    List<K> full() {
      return running.entrySet().stream()
          .filter(entry -> entry.getValue() >= max)
          .map(Map.Entry::getKey)
          .toList();
    }

    List<K> keys() {
      return List.copyOf(running.keySet());
    }

    List<Integer> counts() {
      return keys().stream().map(running::get).toList();
    }
  }
}
