package org.sluiceca.load.day.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What certificates cost, by the samples in the journal of a run. */
public record Costs(List<Entry> entries) {

  public Costs {
    entries = List.copyOf(entries);
  }

  /**
   * Enrollments of a node before its costs say anything about the store: some 30,000 until its code
   * is compiled (docs/performance/SPEED.md), and three times as many again.
   */
  public static final long WARM = 100_000;

  /** Costs at a mark are those of this time before it. */
  private static final long WINDOW_MILLIS = 120_000;

  /** A point of the curve is of a twentieth more certificates than the one before, at least. */
  private static final double POINT_GROWTH = 1.05;

  /**
   * What certificates cost over a while.
   *
   * @param stored how many there were at its end
   * @param isWarm whether the nodes had issued {@link #WARM} before it without a new start
   */
  public record Cost(
      long stored,
      long certificates,
      double seconds,
      double nodeMicros,
      double databaseMicros,
      double clientMicros,
      double busyShare,
      boolean isWarm) {

    /** Returns certificates a second. */
    public double perSecond() {
      return certificates / seconds;
    }

    /** Returns microseconds of processors that the service took for each: nodes and database. */
    public double serviceMicros() {
      return nodeMicros + databaseMicros;
    }
  }

  /** Returns the costs just before a mark was reached; empty if nothing was seen of them. */
  public Optional<Cost> at(int mark) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof Entry.Paused paused && paused.mark() == mark) {
        List<Seen> seen = stretch(i);
        long from = paused.atMillis() - WINDOW_MILLIS;
        return cost(seen.stream().filter(s -> s.sampled().atMillis() > from).toList());
      }
    }
    return Optional.empty();
  }

  /**
   * Returns what the first {@link #WARM} certificates of warm nodes cost: what all later ones are
   * compared with. Empty if there were fewer.
   */
  public Optional<Cost> warm() {
    List<Seen> warm = new ArrayList<>();
    long certificates = 0;
    for (Seen seen : all()) {
      if (!seen.isWarm()) {
        if (!warm.isEmpty()) {
          warm.clear();
          certificates = 0;
        }
        continue;
      }
      warm.add(seen);
      certificates += seen.sampled().certificates();
      if (certificates >= WARM) {
        return cost(warm);
      }
    }
    return Optional.empty();
  }

  /** Returns the costs all along, at numbers of stored certificates that grow. */
  public List<Cost> curve() {
    List<Cost> points = new ArrayList<>();
    List<Seen> gathered = new ArrayList<>();
    double next = 1_000;
    for (Seen seen : all()) {
      if (!gathered.isEmpty() && gathered.getLast().stretch() != seen.stretch()) {
        gathered.clear();
      }
      gathered.add(seen);
      if (seen.sampled().stored() >= next) {
        cost(gathered).ifPresent(points::add);
        gathered.clear();
        next = seen.sampled().stored() * POINT_GROWTH;
      }
    }
    return points;
  }

  /** A sample with what was issued since the nodes were started; stretches count those starts. */
  private record Seen(Entry.Sampled sampled, int stretch, boolean isWarm) {}

  private List<Seen> all() {
    return seen(entries);
  }

  /** The samples since the last start of nodes before an entry. */
  private List<Seen> stretch(int end) {
    List<Seen> before = seen(entries.subList(0, end));
    int last = (int) entries.subList(0, end).stream().filter(Costs::isStart).count();
    return before.stream().filter(s -> s.stretch() == last).toList();
  }

  private static List<Seen> seen(List<Entry> entries) {
    List<Seen> all = new ArrayList<>();
    int stretch = 0;
    long issued = 0;
    for (Entry entry : entries) {
      if (isStart(entry)) {
        stretch++;
        issued = 0;
      } else if (entry instanceof Entry.Sampled sampled) {
        all.add(new Seen(sampled, stretch, issued >= WARM));
        issued += sampled.certificates();
      }
    }
    return all;
  }

  /** Nodes are started for a session, and again at a mark. */
  private static boolean isStart(Entry entry) {
    return entry instanceof Entry.Began || entry instanceof Entry.Went;
  }

  private static Optional<Cost> cost(List<Seen> seen) {
    long certificates = 0;
    double duration = 0;
    double node = 0;
    double database = 0;
    double client = 0;
    double busy = 0;
    double all = 0;
    for (Seen each : seen) {
      Entry.Sampled sampled = each.sampled();
      certificates += sampled.certificates();
      duration += sampled.durationMicros();
      node += sampled.nodeMicros();
      database += sampled.databaseMicros();
      client += sampled.clientMicros();
      busy += sampled.busyMicros();
      all += sampled.allMicros();
    }
    if (certificates == 0 || duration == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Cost(
            seen.getLast().sampled().stored(),
            certificates,
            duration / 1e6,
            node / certificates,
            database / certificates,
            client / certificates,
            all == 0 ? Double.NaN : busy / all,
            seen.getFirst().isWarm()));
  }
}
