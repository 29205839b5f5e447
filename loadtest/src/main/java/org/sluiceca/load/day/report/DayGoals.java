package org.sluiceca.load.day.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.state.Costs;
import org.sluiceca.load.day.state.MarkFigures;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Text;

/**
 * What must hold of a run. Nothing may be lost or doubled; all else are ratios of what was seen
 * with many certificates to what was seen with few in the same run, so that they say nothing of how
 * fast the machine is. docs/performance/DAY.md says where the numbers come from.
 */
public final class DayGoals {

  /**
   * B-trees grow by a level with each hundredfold; the rest is for pages that are not in memory.
   */
  static final double COST_MAX = 1.3;

  static final double RATE_MIN = 0.7;

  /** The machine's own noise: figures of a mark are from half a minute. */
  static final double LATENCY_MAX = 2;

  static final double OCTETS_MAX = 1.25;
  static final double START_MAX = 1.5;
  static final double MEMORY_MAX = 1.25;
  static final double CRL_OCTETS_MAX = 1.1;

  /** Below it, what does not grow is most of a figure. */
  static final long MARK_MIN = 10_000;

  /** With fewer times as many stored, ratios show the machine's noise. */
  private static final int TIMES_MIN = 10;

  private static final long ENTRIES_MIN = 1_000;

  /** What of it is counted or listed grows by its nature. */
  private static final List<String> LATENCIES =
      List.of(
          "single enrollment",
          "by exact name",
          "by serial number",
          "by prefix of a name",
          "by requester, valid",
          "OCSP, first time");

  private final DayRun.Result result;
  private final Goals goals = new Goals();

  private DayGoals(DayRun.Result result) {
    this.result = result;
  }

  /** Judges a run, or what there is of it. */
  public static Goals of(DayRun.Result result) {
    DayGoals judge = new DayGoals(result);
    judge.books();
    judge.answers();
    judge.costs();
    judge.latencies();
    judge.growth();
    return judge.goals;
  }

  private void books() {
    for (MarkFigures mark : result.marks()) {
      List<String> faults = new ArrayList<>(mark.books().faults());
      if (mark.books().answered() != mark.stored()) {
        faults.add(Text.format("%d answered in batches", mark.books().answered()));
      }
      if (mark.crl().entries() != mark.crl().revocations()) {
        faults.add(
            Text.format(
                "%d of %d revocations on the CRL", mark.crl().entries(), mark.crl().revocations()));
      }
      goals.add(
          Text.format("nothing lost or doubled at %,d", mark.stored()),
          faults.isEmpty(),
          faults.isEmpty()
              ? Text.format(
                  "%d certificates in the ledger, as many serial numbers", mark.books().issued())
              : String.join("; ", faults));
    }
    goals.add(
        "no block was journalled twice",
        result.history().repeated() == 0,
        Text.format(
            "%d blocks, %d certificates asked for again after a break",
            result.history().repeated(), result.history().replayed()));
  }

  private void answers() {
    for (MarkFigures mark : result.marks()) {
      List<String> wrong =
          mark.latencies().entrySet().stream()
              .filter(each -> each.getValue().wrong() > 0)
              .map(
                  each ->
                      Text.format(
                          "%s: %d (the first: %s)",
                          each.getKey(), each.getValue().wrong(), each.getValue().firstWrong()))
              .sorted()
              .toList();
      goals.add(
          Text.format("every question answered rightly at %,d", mark.stored()),
          wrong.isEmpty(),
          String.join(", ", wrong));
      if (!Double.isNaN(mark.auditSeconds())) {
        goals.add(
            Text.format("audit trail and chains verify at %,d", mark.stored()),
            !mark.audit().isEmpty(),
            mark.audit());
      }
    }
  }

  private void costs() {
    Optional<Costs.Cost> base = result.history().costs().warm();
    Optional<Costs.Cost> last =
        result.marks().isEmpty()
            ? Optional.empty()
            : result.history().costs().at(result.marks().getLast().mark());
    String cost = "processors a certificate, nodes and database, at the last mark";
    String rate = "certificates/s at the last mark";
    if (base.isEmpty() || last.isEmpty() || !last.get().isWarm()) {
      goals.unjudged(cost, "nodes were not warm for long enough");
      goals.unjudged(rate, "nodes were not warm for long enough");
      return;
    }
    if (last.get().stored() < TIMES_MIN * base.get().stored()) {
      String why = tooFew(last.get().stored(), base.get().stored());
      goals.unjudged(cost, why);
      goals.unjudged(rate, why);
      return;
    }
    atMost(cost, last.get().serviceMicros(), base.get().serviceMicros(), COST_MAX, "µs");
    if (result.plan().rate() > 0) {
      goals.unjudged(rate, "the HSM's rate is the limit");
    } else {
      atLeast(rate, last.get().perSecond(), base.get().perSecond(), RATE_MIN);
    }
  }

  private void latencies() {
    for (String kind : LATENCIES) {
      ratio("p50, " + kind, mark -> p50(mark, kind), LATENCY_MAX, "ms");
    }
  }

  private static double p50(MarkFigures mark, String kind) {
    MarkFigures.Latency latency = mark.latencies().get(kind);
    return latency == null ? Double.NaN : latency.p50();
  }

  private void growth() {
    List<MarkFigures> marks = marks();
    String octets = "octets a certificate, the last ones to the first ones";
    if (isComparable(octets, marks)) {
      // What is there without any certificate is of neither.
      MarkFigures first = marks.get(0);
      MarkFigures last = marks.getLast();
      MarkFigures before = marks.get(marks.size() - 2);
      atMost(
          octets,
          (double) (last.storeBytes() - before.storeBytes()) / (last.stored() - before.stored()),
          (double) (first.storeBytes() - first.baseBytes()) / first.stored(),
          OCTETS_MAX,
          "octets");
    }
    ratio("start of a node", MarkFigures::startSeconds, START_MAX, "s");
    List<MarkFigures> warm =
        result.marks().stream().filter(mark -> mark.stored() >= Costs.WARM).toList();
    ratio("memory of the nodes", warm, mark -> mark.residentBytes() / 1e6, MEMORY_MAX, "MB");
    List<MarkFigures> revoked =
        result.marks().stream().filter(mark -> mark.crl().entries() >= ENTRIES_MIN).toList();
    ratio(
        "octets of the CRL an entry",
        revoked,
        mark -> (double) mark.crl().bytes() / mark.crl().entries(),
        CRL_OCTETS_MAX,
        "octets");
  }

  private List<MarkFigures> marks() {
    return result.marks().stream().filter(mark -> mark.stored() >= MARK_MIN).toList();
  }

  private void ratio(String name, ToDoubleFunction<MarkFigures> figure, double most, String unit) {
    ratio(name, marks(), figure, most, unit);
  }

  private void ratio(
      String name,
      List<MarkFigures> marks,
      ToDoubleFunction<MarkFigures> figure,
      double most,
      String unit) {
    if (isComparable(name, marks)) {
      atMost(
          name,
          figure.applyAsDouble(marks.getLast()),
          figure.applyAsDouble(marks.getFirst()),
          most,
          unit);
    }
  }

  private boolean isComparable(String name, List<MarkFigures> marks) {
    if (marks.size() < 2) {
      goals.unjudged(name, "no two marks to compare");
      return false;
    }
    if (marks.getLast().stored() < TIMES_MIN * marks.getFirst().stored()) {
      goals.unjudged(name, tooFew(marks.getLast().stored(), marks.getFirst().stored()));
      return false;
    }
    return true;
  }

  private static String tooFew(long stored, long base) {
    return Text.format("%,d stored is not ten times the %,d to compare with", stored, base);
  }

  private void atMost(String name, double value, double base, double most, String unit) {
    // What is not a number reaches no goal.
    goals.add(
        Text.format("%s: at most %s times", name, most),
        value <= most * base,
        Text.format("%.2f times: %.1f %s, before %.1f", value / base, value, unit, base));
  }

  private void atLeast(String name, double value, double base, double least) {
    goals.add(
        Text.format("%s: at least %s times", name, least),
        value >= least * base,
        Text.format("%.2f times: %.0f/s, before %.0f/s", value / base, value, base));
  }
}
