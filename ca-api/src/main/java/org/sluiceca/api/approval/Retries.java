package org.sluiceca.api.approval;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.sluiceca.core.time.Ticker;

/**
 * When what failed is tried again: after ten seconds, and twice as long each time, up to ten
 * minutes. Not thread-safe: the loop owns it. A restart forgets it, and tries all again at once.
 */
final class Retries {

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** More fail at once only if everything does; then the oldest wait for one another. */
  private static final int NOTED_MAX = 1_000;

  private record Rest(long sinceNanos, long nanos) {}

  private final Ticker ticker;
  private final Map<UUID, Rest> rests = new HashMap<>();

  Retries(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Has it rest. */
  void failed(UUID id) {
    Rest last = rests.get(id);
    if (last != null || rests.size() < NOTED_MAX) {
      long nanos = last == null ? FIRST.toNanos() : Math.min(2 * last.nanos, LONGEST.toNanos());
      rests.put(id, new Rest(ticker.nanoTime(), nanos));
    }
  }

  /** Forgets it: it has ended. */
  void ended(UUID id) {
    rests.remove(id);
  }

  /** Returns those that are not to be tried now. */
  List<UUID> resting() {
    long now = ticker.nanoTime();
    // What another node has ended is never asked about again.
    rests.values().removeIf(r -> now - r.sinceNanos > r.nanos + 2 * LONGEST.toNanos());
    return rests.entrySet().stream()
        .filter(e -> now - e.getValue().sinceNanos < e.getValue().nanos)
        .map(Map.Entry::getKey)
        .toList();
  }
}
