package org.sluiceca.load.soak.judge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The CRLs of one scope that were seen, complete ones and deltas, by their numbers. Of each number
 * a digest is kept for the whole run, what it said until it is forgotten. Not thread-safe: {@link
 * LineJudge} guards it.
 */
final class CrlLine {

  /** A number that was seen, and what it said unless that is long ago. */
  static final class Known {
    final String digest;
    final boolean isDelta;
    final Instant issuedAt;
    final Instant firstSeen;
    private @Nullable CrlView view;

    private Known(CrlView view, Instant firstSeen) {
      this.digest = view.digest();
      this.isDelta = view.isDelta();
      this.issuedAt = view.issuedAt();
      this.firstSeen = firstSeen;
      this.view = view;
    }
  }

  private final NavigableMap<Long, Known> line = new TreeMap<>();

  /** Adds a CRL whose number was not seen before. */
  void add(CrlView view, Instant seen) {
    line.put(view.number(), new Known(view, seen));
  }

  /** Returns what is known of a number; empty if it was not seen. */
  Optional<Known> at(long number) {
    return Optional.ofNullable(line.get(number));
  }

  /** Forgets what those said that were first seen at {@code moment} or before. */
  void forgetUntil(Instant moment) {
    for (Known known : line.values()) {
      if (known.firstSeen.isAfter(moment)) {
        return;
      }
      known.view = null;
    }
  }

  boolean isDeltaSeenBefore(Instant moment) {
    return line.values().stream()
        .anyMatch(known -> known.isDelta && known.firstSeen.isBefore(moment));
  }

  /** Returns how many numbers of complete CRLs, or of deltas, were seen. */
  long count(boolean isDelta) {
    return line.values().stream().filter(known -> known.isDelta == isDelta).count();
  }

  /** Returns the numbers above this one. */
  Map<Long, Known> above(long number) {
    return line.tailMap(number, false);
  }

  /** Returns the next lower number and the next higher one, as far as there are such. */
  List<Map.Entry<Long, Known>> neighbours(long number) {
    List<Map.Entry<Long, Known>> found = new ArrayList<>();
    Map.Entry<Long, Known> lower = line.lowerEntry(number);
    Map.Entry<Long, Known> higher = line.higherEntry(number);
    if (lower != null) {
      found.add(lower);
    }
    if (higher != null) {
      found.add(higher);
    }
    return found;
  }

  /** Returns the next complete CRL below this number that is not forgotten. */
  Optional<CrlView> completeBelow(long number) {
    return firstComplete(line.headMap(number, false).descendingMap().values());
  }

  /** Returns the next complete CRL above this number that is not forgotten. */
  Optional<CrlView> completeAbove(long number) {
    return firstComplete(line.tailMap(number, false).values());
  }

  private static Optional<CrlView> firstComplete(Collection<Known> part) {
    for (Known known : part) {
      if (known.view != null && !known.isDelta) {
        return Optional.of(known.view);
      }
    }
    return Optional.empty();
  }

  /** Returns the complete CRLs from this number to below another that are not forgotten. */
  List<CrlView> completes(long from, long below) {
    List<CrlView> found = new ArrayList<>();
    for (Known known : line.subMap(from, true, below, false).values()) {
      if (known.view != null && !known.isDelta) {
        found.add(known.view);
      }
    }
    return found;
  }

  /** Returns the deltas that can be put to this complete CRL and are not forgotten. */
  List<CrlView> deltasTo(long complete) {
    List<CrlView> found = new ArrayList<>();
    for (Known known : line.tailMap(complete, false).values()) {
      CrlView view = known.view;
      if (view != null && view.isDelta() && view.base().orElseThrow() <= complete) {
        found.add(view);
      }
    }
    return found;
  }
}
