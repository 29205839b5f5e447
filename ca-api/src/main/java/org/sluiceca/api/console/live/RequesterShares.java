package org.sluiceca.api.console.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluiceca.api.console.live.feed.Figures;
import org.sluiceca.api.console.live.feed.Rates;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Role;

/** What requesters are issued and refused: by name for those who may know, others together. */
final class RequesterShares {

  /** The roles that may know what other requesters do. */
  private static final Set<Role> STAFF = Set.of(Role.OFFICER, Role.AUDITOR, Role.ADMIN);

  private static final String OTHERS = "all others";

  private RequesterShares() {}

  /** Returns whether {@code requester} may see the others by name. */
  static boolean isStaff(Requester requester) {
    return requester.roles().stream().anyMatch(STAFF::contains);
  }

  /** Returns the rows that {@code viewer} may see, of those who ask most first. */
  static List<LiveView.Row> rows(Rates rates, Requester viewer) {
    double all = rates.requesters().values().stream().mapToDouble(r -> r.granted()).sum();
    List<LiveView.Row> rows = new ArrayList<>();
    double restGranted = 0;
    double restRefused = 0;
    List<Map.Entry<String, Rates.Share>> sorted =
        rates.requesters().entrySet().stream()
            .sorted(
                Comparator.<Map.Entry<String, Rates.Share>>comparingDouble(
                        e -> e.getValue().granted() + e.getValue().refused())
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .toList();
    for (Map.Entry<String, Rates.Share> each : sorted) {
      boolean isNamed = isStaff(viewer) || each.getKey().equals(viewer.id().value());
      if (isNamed && rows.size() < LiveView.ROWS_MAX) {
        rows.add(row(each.getKey(), each.getValue(), all));
      } else {
        restGranted += each.getValue().granted();
        restRefused += each.getValue().refused();
      }
    }
    if (restGranted + restRefused > 0) {
      rows.add(row(OTHERS, new Rates.Share(restGranted, restRefused), all));
    }
    return rows;
  }

  /** Returns the row of one share of all that is granted. */
  static LiveView.Row row(String name, Rates.Share share, double all) {
    double part = LiveView.part(share.granted(), all);
    return new LiveView.Row(
        Map.of(
            LiveView.NAME,
            name,
            "granted",
            Figures.rate(share.granted()) + "/s",
            "refused",
            Figures.rate(share.refused()) + "/s",
            "share",
            Figures.percent(part)),
        part,
        share.refused() > 0 ? "full" : "calm",
        false);
  }
}
