package org.sluiceca.load.scenario.judge;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.Oracle;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.plan.GatlingPlan;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.judge.ScenarioResults.Moment;
import org.sluiceca.load.watch.LedgerRow;

/**
 * Judges a run phase by phase, so that a long one needs no memory for all of its requests. Used by
 * one thread: {@link #add} in the order of time, then {@link #results}.
 */
public final class ScenarioJudge {

  /** Of every scenario: none can leave them out. */
  private static final List<Goal> ALWAYS =
      List.of(new Goal(Measure.UNSENT, false, 0), new Goal(Measure.LOOKS_SHARE, true, 0.5));

  /** Points of a phase's plots. */
  private static final int MOMENTS_MAX = 60;

  private final Plan plan;
  private final GatlingPlan gatling;
  private final List<Watched> watched = new ArrayList<>();
  private final List<PhaseJudge.Figures> figures = new ArrayList<>();
  private final Map<Measure, Double> oracle = new EnumMap<>(Measure.class);
  private final List<Operation> operations = new ArrayList<>();
  private final List<Persistence> persistences = new ArrayList<>();
  private final List<Moment> moments = new ArrayList<>();
  private final Tally tally;

  /** Judges a run of a plan whose requests Gatling sends. */
  public ScenarioJudge(Plan plan) {
    this.plan = plan;
    this.gatling = plan.gatling().orElseThrow();
    this.tally = new Tally(plan);
  }

  /** Judges a phase. */
  public void add(Seen given) {
    Phase phase = given.watched().seen().phase();
    Seen seen = phase.crowdSeconds() > 0 ? untilServed(given) : given;
    Evidence own = evidence(seen, false);
    new Oracle(plan, own)
        .measures()
        .forEach((measure, count) -> oracle.merge(measure, count, Double::sum));
    Watched at = seen.watched();
    figures.add(new PhaseJudge(plan, at.seen(), evidence(seen, true)).figures());
    watched.add(at);
    operations.addAll(operations(seen));
    persistences.add(Persistence.of(at.phase(), seen.records()));
    tally.add(seen, phase);
    moments.addAll(moments(seen));
  }

  /**
   * Judges the guarantees in a phase that was interrupted and is measured again: no rate and no
   * latency of it is reported, and its requests of the last half second may be in no record.
   */
  public void addInterrupted(List<Exchange> records, List<LedgerRow> rows) {
    Evidence own = evidence(records, rows, 0);
    Map<Measure, Double> broken = new EnumMap<>(new Oracle(plan, own).measures());
    // Recorded by an attempt that is in no record, after another one that was refused.
    broken.remove(Measure.RECORDED_THOUGH_REFUSED);
    broken.forEach((measure, count) -> oracle.merge(measure, count, Double::sum));
    tally.addInterrupted(records, rows);
  }

  /** The measured time of a crowd ends when its last client is served, or gives up. */
  private static Seen untilServed(Seen seen) {
    long last =
        seen.records().stream()
            .filter(sent -> sent.kind().isIssuance())
            .mapToLong(Exchange::doneNanos)
            .max()
            .orElse(seen.watched().seen().untilNanos());
    return new Seen(seen.watched().until(last), seen.records(), seen.rows(), seen.earlierRows());
  }

  private static Evidence evidence(Seen seen, boolean withEarlier) {
    return evidence(
        seen.records(),
        withEarlier
            ? Stream.concat(seen.earlierRows().stream(), seen.rows().stream()).toList()
            : seen.rows(),
        seen.watched().clockOffsetNanos());
  }

  private static Evidence evidence(
      List<Exchange> records, List<LedgerRow> rows, long clockOffsetNanos) {
    List<Exchange> exchanges = records.stream().filter(sent -> sent.kind().isIssuance()).toList();
    return new Evidence(exchanges, rows, Map.of(), clockOffsetNanos);
  }

  private static List<Operation> operations(Seen seen) {
    Watched at = seen.watched();
    Map<Kind, List<Exchange>> due =
        seen.records().stream()
            .filter(sent -> !sent.kind().isIssuance())
            .filter(sent -> at.seen().contains(sent.dueNanos()))
            .collect(Collectors.groupingBy(Exchange::kind));
    return new TreeMap<>(due)
        .entrySet().stream()
            .map(e -> Operation.of(at.phase(), e.getKey(), e.getValue(), at.seen().seconds()))
            .toList();
  }

  private static List<Moment> moments(Seen seen) {
    Watched at = seen.watched();
    double seconds = at.seen().seconds();
    int count = Math.clamp((long) seconds, 1, MOMENTS_MAX);
    double width = seconds / count;
    Evidence evidence = evidence(seen, true);
    double[] offered = new double[count];
    double[] issued = new double[count];
    List<List<Double>> latencies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      latencies.add(new ArrayList<>());
    }
    for (Exchange sent : seen.records()) {
      int index = (int) Math.floor((sent.dueNanos() - at.seen().fromNanos()) / 1e9 / width);
      if (sent.kind().isIssuance() && index >= 0 && index < count) {
        offered[index] += sent.request().attempt() == 0 ? 1 : 0;
        if (sent.isServed()) {
          latencies.get(index).add(sent.latencyMillis());
        }
      }
    }
    evidence.issued().stream()
        .mapToInt(
            row ->
                (int) Math.floor((evidence.issuedNanos(row) - at.seen().fromNanos()) / 1e9 / width))
        .filter(index -> index >= 0 && index < count)
        .forEach(index -> issued[index]++);
    List<Moment> moments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Percentiles all = new Percentiles(latencies.get(i).stream().mapToDouble(Double::doubleValue));
      moments.add(
          new Moment(
              at.fromMillis() + (long) ((i + 0.5) * width * 1000),
              offered[i] / width,
              issued[i] / width,
              all.at(0.5),
              all.at(0.99)));
    }
    return moments;
  }

  /**
   * Returns all results.
   *
   * @param looks of all sittings
   * @param revocations serial numbers that the ledger has as revoked
   */
  public ScenarioResults results(List<NodeLook> looks, Set<String> revocations) {
    List<PhaseJudge.Figures> measured =
        figures.stream().filter(f -> f.seen().phase().isMeasured()).toList();
    List<NodeLook> timely = looks.stream().filter(this::isMeasured).toList();
    List<Drift> drifts = Drift.all(timely, measured);
    Map<String, Double> whole = new TreeMap<>();
    putLooks(whole, timely);
    putDrifts(whole, drifts);
    putOperations(whole);
    if (!gatling.knee().isEmpty()) {
      Optional<Knee> knee = Knee.of(measured, gatling.knee());
      whole.put(Measure.KNEE.key(), knee.map(Knee::load).orElse(0.0));
      whole.put(Measure.KNEE_RATE.key(), knee.map(Knee::rate).orElse(0.0));
    }
    whole.put(Measure.UNSENT.key(), (double) tally.unsent());
    whole.put(Measure.LOOKS_SHARE.key(), looksShare(timely));
    whole.put(Measure.STARTED_LATE_P99.key(), tally.startedLateP99());
    List<Goal> limits = new ArrayList<>(ALWAYS);
    if (gatling.operations().containsKey(Kind.REVOKE)) {
      limits.add(new Goal(Measure.REVOCATIONS_LOST, false, 0));
      whole.put(Measure.REVOCATIONS_LOST.key(), (double) tally.revocationsLost(revocations));
    }
    if (gatling.isRenewal()) {
      limits.add(new Goal(Measure.UNRENEWED, false, 0));
      whole.put(Measure.UNRENEWED.key(), (double) tally.unrenewed());
    }
    limits.addAll(gatling.limits());
    List<Verdict> verdicts = new ArrayList<>(Verdict.of(figures, oracle));
    for (Goal limit : limits) {
      double value = whole.getOrDefault(limit.figure(), Double.NaN);
      verdicts.add(new Verdict(Verdict.WHOLE_RUN, limit, value, 1, false));
    }
    return new ScenarioResults(
        plan,
        watched,
        figures,
        oracle,
        verdicts,
        whole,
        drifts,
        operations,
        persistences,
        tally.errors(),
        looks,
        moments,
        tally.requests(),
        tally.interrupted(),
        tally.certificates());
  }

  private boolean isMeasured(NodeLook look) {
    return watched.stream()
        .filter(at -> at.seen().phase().isMeasured())
        .anyMatch(at -> at.contains(look));
  }

  private double looksShare(List<NodeLook> timely) {
    double seconds =
        watched.stream()
            .filter(at -> at.seen().phase().isMeasured())
            .mapToDouble(at -> at.seen().seconds())
            .sum();
    long moments = timely.stream().mapToLong(NodeLook::epochMillis).distinct().count();
    return moments * gatling.sampleSeconds() / seconds;
  }

  private static void putLooks(Map<String, Double> whole, List<NodeLook> looks) {
    Queue queue = Queue.of(looks);
    whole.put(
        Measure.RSS_MAX.key(),
        looks.stream().mapToDouble(NodeLook::rssMegabytes).max().orElse(Double.NaN));
    whole.put(Measure.DEPTH_MAX.key(), queue.depthMax());
    whole.put(Measure.INFLIGHT_MEAN.key(), queue.inflight());
    whole.put(Measure.WAIT_MEAN.key(), queue.waitMillis());
  }

  private static void putDrifts(Map<String, Double> whole, List<Drift> drifts) {
    for (Measure figure :
        List.of(
            Measure.RSS_GROWTH,
            Measure.THREADS_GROWTH,
            Measure.FILES_GROWTH,
            Measure.QUEUE_GROWTH,
            Measure.HSM_QUEUE_GROWTH,
            Measure.LATENCY_P50_GROWTH,
            Measure.LATENCY_P99_GROWTH)) {
      whole.put(figure.key(), Drift.worst(drifts, figure));
    }
  }

  /** Of a kind the worst phase, which the others do not hide. */
  private void putOperations(Map<String, Double> whole) {
    for (Operation operation : operations) {
      String kind = operation.kind().key();
      whole.merge(
          Goal.figure(Measure.LATENCY_P99, kind), operation.p99Millis(), ScenarioJudge::worse);
      whole.merge(Goal.figure(Measure.FAILED_SHARE, kind), operation.failedShare(), Math::max);
      whole.merge(Goal.figure(Measure.SERVED, kind), operation.served(), Math::min);
    }
  }

  /** A phase in which nothing was served has no latency, and the whole none either. */
  private static double worse(double one, double other) {
    return Double.isNaN(one) || Double.isNaN(other) ? Double.NaN : Math.max(one, other);
  }
}
