package org.sluiceca.api.console.live;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.sluiceca.api.console.live.feed.Rates;

/** By which protocols requests come: no names of requesters, so for everyone. */
final class ProtocolShares {

  private ProtocolShares() {}

  /** Returns a row for each protocol that was used in the last seconds, the busiest first. */
  static List<LiveView.Row> rows(Rates rates) {
    double all = rates.protocols().values().stream().mapToDouble(Rates.Share::granted).sum();
    return rates.protocols().entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, Rates.Share>>comparingDouble(
                    e -> e.getValue().granted() + e.getValue().refused())
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .map(e -> RequesterShares.row(e.getKey(), e.getValue(), all))
        .toList();
  }
}
