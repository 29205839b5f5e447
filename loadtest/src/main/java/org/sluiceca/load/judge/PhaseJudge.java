package org.sluiceca.load.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.plan.FaultEvent;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.LedgerRow;
import org.sluiceca.load.watch.ProcessTimes;

/**
 * The figures of one phase. Rates are counted from the ledger's rows and the timetable, latencies
 * from when a request was due, the HSM's from the HSM: nothing is the service's own word.
 */
public final class PhaseJudge {

  private static final double BYTES_PER_MEGABYTE = 1e6;

  private final Plan plan;
  private final PhaseRecord seen;
  private final Evidence evidence;
  private final AnswerJudge answers;

  /** What was due in the measured time. */
  private final List<Exchange> due;

  private final List<LedgerRow> issued;

  /**
   * Figures of a phase.
   *
   * @param measures those that this phase has
   * @param hsms those of each HSM by its name, if there are several
   * @param requesters those of each requester
   * @param recoveries one for each occurrence after which something was expected, or that failed
   */
  public record Figures(
      PhaseRecord seen,
      Map<Measure, Double> measures,
      Map<String, Map<Measure, Double>> hsms,
      Map<String, Map<Measure, Double>> requesters,
      List<Recovery> recoveries) {

    /** A machine busier than this is itself the limit, whatever the HSM could do. */
    public static final double SATURATED = 0.95;

    /** Copies. */
    public Figures {
      measures = Map.copyOf(measures);
      hsms = Map.copyOf(hsms);
      requesters = Map.copyOf(requesters);
      recoveries = List.copyOf(recoveries);
    }

    /** Returns whether the processors were the limit: what the phase shows is the machine. */
    public boolean isOfBusyMachine() {
      return of(Measure.PROCESSORS_BUSY) >= SATURATED;
    }

    /** Returns a figure; NaN if this phase has none. */
    public double of(Measure measure) {
      return of(measure, "");
    }

    /**
     * Returns a figure; NaN if this phase has none.
     *
     * @param name the HSM or the requester whose it is; empty for that of all
     */
    public double of(Measure measure, String name) {
      Map<String, Map<Measure, Double>> parts = measure.isOfHsm() ? hsms : requesters;
      Map<Measure, Double> all = name.isEmpty() ? measures : parts.getOrDefault(name, Map.of());
      return all.getOrDefault(measure, Double.NaN);
    }
  }

  /** Judges {@code seen} by {@code evidence}, which is that of the whole run. */
  public PhaseJudge(Plan plan, PhaseRecord seen, Evidence evidence) {
    this.plan = plan;
    this.seen = seen;
    this.evidence = evidence;
    this.answers = new AnswerJudge(evidence);
    this.due =
        evidence.of(seen.phase().name()).stream()
            .filter(exchange -> seen.contains(exchange.dueNanos()))
            .toList();
    this.issued =
        evidence.issued().stream().filter(row -> seen.contains(evidence.issuedNanos(row))).toList();
  }

  /** Returns the phase's figures. */
  public Figures figures() {
    Map<Measure, Double> measures = new EnumMap<>(Measure.class);
    List<Recovery> recoveries = recoveries();
    putRates(measures);
    answers.put(measures, due);
    Map<String, Map<Measure, Double>> hsms = new TreeMap<>();
    HsmJudge judge = new HsmJudge(seen, evidence);
    seen.hsms().forEach((name, said) -> hsms.put(name, judge.figures(name, said)));
    if (hsms.size() == 1) {
      hsms.values().forEach(measures::putAll);
      hsms.clear();
    }
    putFairness(measures);
    if (seen.phase().crowdSeconds() > 0) {
      putCrowd(measures);
    }
    if (!recoveries.isEmpty()) {
      measures.put(Measure.GOODPUT_RECOVERY, longest(recoveries, Recovery::goodputSeconds));
      measures.put(Measure.QUEUE_RECOVERY, longest(recoveries, Recovery::queueSeconds));
    }
    List<Occurrence> revocations =
        seen.occurrences().stream().filter(o -> o.what().equals(FaultEvent.REVOKE)).toList();
    if (!revocations.isEmpty()) {
      measures.put(Measure.REVOCATION_PUBLISHED, longest(revocations, PhaseJudge::took));
    }
    putNodes(measures);
    measures.put(Measure.LADDER_FAULTS, (double) seen.ladder().faults().size());
    measures.put(Measure.PROCESSORS_BUSY, seen.used().share(seen.used().busy()));
    measures.put(Measure.LOAD_AVERAGE, seen.loadAverage());
    return new Figures(seen, measures, hsms, requesters(), recoveries);
  }

  private void putNodes(Map<Measure, Double> measures) {
    measures.put(Measure.NODES_DEAD, (double) seen.nodesDead());
    seen.residentBytes().values().stream()
        .mapToLong(Long::longValue)
        .max()
        .ifPresent(bytes -> measures.put(Measure.NODE_MEMORY, bytes / BYTES_PER_MEGABYTE));
    seen.residentBytes().values().stream()
        .mapToLong(Long::longValue)
        .average()
        .ifPresent(bytes -> measures.put(Measure.NODE_MEMORY_MEAN, bytes / BYTES_PER_MEGABYTE));
    measures.put(
        Measure.NODE_PROCESSOR,
        ProcessTimes.seconds(seen.used().nodes()) / seen.seconds() / seen.nodes().size());
    if (!issued.isEmpty()) {
      measures.put(Measure.NODE_MICROS, microsEach(seen.used().nodes()));
      measures.put(Measure.DATABASE_MICROS, microsEach(seen.used().database()));
    }
  }

  private double microsEach(long ticks) {
    return 1e6 * ProcessTimes.seconds(ticks) / issued.size();
  }

  private void putRates(Map<Measure, Double> measures) {
    // A crowd asks for all there is until it is served, a closed loop never stops asking.
    boolean isGreedy = seen.phase().crowdSeconds() > 0 || seen.phase().isClosed();
    double offered = isGreedy ? Double.POSITIVE_INFINITY : due.size() / seen.seconds();
    double goodput = issued.size() / seen.seconds();
    measures.put(Measure.OFFERED, due.size() / seen.seconds());
    measures.put(Measure.GOODPUT, goodput);
    measures.put(
        Measure.GOODPUT_SHARE,
        offered == 0 ? Double.NaN : goodput / Math.min(offered, plan.capacity()));
  }

  private Map<String, Map<Measure, Double>> requesters() {
    Map<String, List<Exchange>> asked =
        due.stream().collect(Collectors.groupingBy(e -> e.request().requester()));
    Map<String, Long> given = countBy(LedgerRow::requester);
    double time =
        given.entrySet().stream()
            .mapToDouble(e -> e.getValue() * plan.serviceMillis(e.getKey()))
            .sum();
    Map<String, Map<Measure, Double>> all = new TreeMap<>();
    asked.forEach(
        (requester, own) -> {
          long issuedOwn = given.getOrDefault(requester, 0L);
          Map<Measure, Double> measures = new EnumMap<>(Measure.class);
          measures.put(Measure.OFFERED, own.size() / seen.seconds());
          measures.put(Measure.GOODPUT, issuedOwn / seen.seconds());
          measures.put(Measure.GOODPUT_SHARE, (double) issuedOwn / own.size());
          measures.put(Measure.TIME_SHARE, issuedOwn * plan.serviceMillis(requester) / time);
          answers.put(measures, own);
          all.put(requester, measures);
        });
    return all;
  }

  private void putFairness(Map<Measure, Double> measures) {
    Map<String, Long> byNode = countBy(row -> row.outcome().orElseThrow().node());
    double[] nodes =
        seen.nodes().stream()
            .mapToDouble(node -> byNode.getOrDefault("node-" + node, 0L))
            .toArray();
    Arrays.stream(nodes)
        .min()
        .ifPresent(least -> measures.put(Measure.NODE_LEAST, least / seen.seconds()));
    Arrays.stream(nodes)
        .max()
        .ifPresent(most -> measures.put(Measure.NODE_MOST, most / seen.seconds()));
    measures.put(Measure.JAIN_NODES, Fairness.jain(nodes));
    measures.put(Measure.SPREAD_NODES, Fairness.spread(nodes));
    Map<String, Long> asked =
        due.stream()
            .collect(Collectors.groupingBy(e -> e.request().requester(), Collectors.counting()));
    Map<String, Long> given = countBy(LedgerRow::requester);
    List<String> requesters = asked.keySet().stream().sorted().toList();
    double[] demands = requesters.stream().mapToDouble(r -> asked.getOrDefault(r, 0L)).toArray();
    double[] got = requesters.stream().mapToDouble(r -> given.getOrDefault(r, 0L)).toArray();
    measures.put(Measure.JAIN_REQUESTERS, Fairness.ofEntitlements(got, demands, issued.size()));
  }

  private void putCrowd(Map<Measure, Double> measures) {
    Map<String, Long> refusals = new HashMap<>();
    for (Exchange exchange : evidence.of(seen.phase().name())) {
      if (exchange.request().requester().equals(Plan.CROWD)) {
        refusals.merge(exchange.request().key(), exchange.isRefused() ? 1L : 0L, Long::sum);
      }
    }
    List<Long> counts = List.copyOf(refusals.values());
    measures.put(Measure.REFUSED_TWICE_SHARE, AnswerJudge.share(counts, count -> count > 1));
    measures.put(
        Measure.UNSERVED,
        (double) refusals.keySet().stream().filter(key -> !answers.isServed(key)).count());
  }

  private List<Recovery> recoveries() {
    List<Long> times = evidence.issued().stream().map(evidence::issuedNanos).toList();
    Recovery.Seen series = new Recovery.Seen(times, evidence.hsms().values(), plan.queueBound());
    List<Occurrence> all = seen.occurrences();
    List<Recovery> recoveries = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      long until = i + 1 < all.size() ? all.get(i + 1).begunNanos() : seen.untilNanos();
      Occurrence occurrence = all.get(i);
      if (occurrence.hasFailed()) {
        recoveries.add(Recovery.never(occurrence));
      } else if (occurrence.expected().isPresent()) {
        double expected = occurrence.expected().getAsDouble();
        recoveries.add(Recovery.of(occurrence, expected, series, until));
      }
    }
    return recoveries;
  }

  private Map<String, Long> countBy(Function<LedgerRow, String> name) {
    return issued.stream().collect(Collectors.groupingBy(name, Collectors.counting()));
  }

  /** Returns how long it took; infinite if it could not be done. */
  private static double took(Occurrence occurrence) {
    return occurrence.hasFailed()
        ? Double.POSITIVE_INFINITY
        : (occurrence.atNanos() - occurrence.begunNanos()) / 1e9;
  }

  private static <T> double longest(List<T> all, Function<T, Double> seconds) {
    return all.stream().mapToDouble(seconds::apply).max().orElse(Double.NaN);
  }
}
