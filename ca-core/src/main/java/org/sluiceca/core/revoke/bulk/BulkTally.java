package org.sluiceca.core.revoke.bulk;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a dry run has counted so far. Not thread-safe. */
public final class BulkTally {

  /** Names counted apart, more than any registry has; the rest is counted in the sum only. */
  private static final int NAMES_MAX = 10_000;

  private final Map<String, Long> byProfile = new HashMap<>();
  private final Map<String, Long> byRequester = new HashMap<>();
  private long count;
  private long onHold;
  private long refused;

  /** Counts what is on a page. */
  public void add(BulkPage page) {
    for (BulkPage.Revocable certificate : page.revocable()) {
      count++;
      count(byProfile, certificate.candidate().profile().value());
      count(byRequester, certificate.candidate().requester().value());
    }
    onHold += page.onHold();
    refused += page.refused();
  }

  private static void count(Map<String, Long> counts, String name) {
    if (counts.size() < NAMES_MAX || counts.containsKey(name)) {
      counts.merge(name, 1L, Long::sum);
    }
  }

  /** Returns how many certificates would be revoked. */
  public long count() {
    return count;
  }

  /** Returns how many are on hold and would stay so. */
  public long onHold() {
    return onHold;
  }

  /** Returns how many have no revocation information and cannot be revoked. */
  public long refused() {
    return refused;
  }

  /** Returns those of the {@code max} profiles with the most, by profile, the most first. */
  public Map<String, Long> byProfile(int max) {
    return most(byProfile, max);
  }

  /** Returns those of the {@code max} requesters with the most, by requester, the most first. */
  public Map<String, Long> byRequester(int max) {
    return most(byRequester, max);
  }

  private static Map<String, Long> most(Map<String, Long> counts, int max) {
    Map<String, Long> most = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, Long> e) -> -e.getValue())
                .thenComparing(Map.Entry::getKey))
        .limit(max)
        .forEach(e -> most.put(e.getKey(), e.getValue()));
    return most;
  }
}
