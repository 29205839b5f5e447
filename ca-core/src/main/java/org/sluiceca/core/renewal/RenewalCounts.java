package org.sluiceca.core.renewal;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many planned renewals can fall together, by the certificates' lives: certificates of about
 * one life (a factor of two at most) that were issued, and so expire, within half that life, where
 * they are most. Counts are by day, so that a life of less than two days counts more than it needs
 * to. Immutable and thread-safe.
 */
public final class RenewalCounts {

  /**
   * Certificates of about one life that expire on one day.
   *
   * @param shortest the shortest of their lives, above 0
   * @param longest less than a factor of two above {@code shortest}
   * @param expiresOn in UTC
   * @param certificates 0 or more
   */
  public record Day(Duration shortest, Duration longest, LocalDate expiresOn, long certificates) {

    /** Of exactly one life. */
    public Day(Duration life, LocalDate expiresOn, long certificates) {
      this(life, life, expiresOn, certificates);
    }
  }

  /**
   * The most of one class of lives.
   *
   * @param shortest the shortest life in it: its limits are the tightest
   */
  public record Most(Duration shortest, long certificates) {}

  private final Map<Integer, Most> most;

  private RenewalCounts(Map<Integer, Most> most) {
    this.most = Map.copyOf(most);
  }

  /** Nothing has been counted yet. */
  public static RenewalCounts none() {
    return new RenewalCounts(Map.of());
  }

  /** Returns the counts of certificates that have not expired, in any order. */
  public static RenewalCounts of(List<Day> days) {
    Map<Integer, List<Day>> classes = new HashMap<>();
    for (Day day : days) {
      classes.computeIfAbsent(classOf(day.shortest()), _ -> new ArrayList<>()).add(day);
    }
    Map<Integer, Most> most = new HashMap<>();
    classes.forEach((key, of) -> most.put(key, most(of)));
    return new RenewalCounts(most);
  }

  private static Most most(List<Day> days) {
    Duration shortest = days.stream().map(Day::shortest).min(Duration::compareTo).orElseThrow();
    Duration longest = days.stream().map(Day::longest).max(Duration::compareTo).orElseThrow();
    TreeMap<LocalDate, Long> byDay = new TreeMap<>();
    days.forEach(day -> byDay.merge(day.expiresOn(), day.certificates(), Long::sum));
    long width = Math.max(1, longest.dividedBy(2).plusDays(1).minusNanos(1).toDays());
    List<Map.Entry<LocalDate, Long>> ordered = List.copyOf(byDay.entrySet());
    long sum = 0;
    long largest = 0;
    int first = 0;
    for (Map.Entry<LocalDate, Long> last : ordered) {
      sum += last.getValue();
      while (!ordered.get(first).getKey().plusDays(width).isAfter(last.getKey())) {
        sum -= ordered.get(first).getValue();
        first++;
      }
      largest = Math.max(largest, sum);
    }
    return new Most(shortest, largest);
  }

  /** Returns what planned renewals of certificates of this life ask of the HSM. */
  public RenewalLoad load(Duration life, double sparePerSecond) {
    return Optional.ofNullable(most.get(classOf(life)))
        .map(of -> new RenewalLoad(of.certificates(), sparePerSecond))
        .orElse(RenewalLoad.UNKNOWN);
  }

  /** Returns what each class of lives has at most. */
  public List<Most> all() {
    return List.copyOf(most.values());
  }

  /** Lives of one class differ by less than a factor of two: their seconds have as many bits. */
  private static int classOf(Duration life) {
    return Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, life.toSeconds()));
  }
}
