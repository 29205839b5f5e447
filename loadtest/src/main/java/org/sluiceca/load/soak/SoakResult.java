package org.sluiceca.load.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.soak.judge.Findings;
import org.sluiceca.load.soak.judge.Rule;

/**
 * What came of a soak.
 *
 * @param audit what the auditor's program said at the end; empty if it found fault
 */
public record SoakResult(
    String title, SoakTerms terms, Counts counts, Findings findings, String audit) {

  /**
   * What was done and seen.
   *
   * @param faults by what they were, in words
   * @param lines of each scope
   * @param crlDelays in seconds, from each confirmation to each node's CRL
   * @param unanswered requests to living nodes
   */
  public record Counts(
      double seconds,
      Map<String, Long> traffic,
      Map<String, Integer> faults,
      int leaders,
      List<Numbers> lines,
      long answers,
      long unanswered,
      List<Double> crlDelays,
      List<Double> ocspDelays) {

    long complete() {
      return lines.stream().mapToLong(Numbers::complete).sum();
    }

    long deltas() {
      return lines.stream().mapToLong(Numbers::deltas).sum();
    }
  }

  /** How many numbers of a scope were seen, of complete CRLs and of deltas. */
  public record Numbers(long complete, long deltas) {}

  /**
   * Needs an answer "good" after one of the same node that said revoked: a hold and its release of
   * a certificate that is asked about at the right moments. A short run may have none.
   */
  private static final Set<Rule> JUDGED_IN_LONG_ONES = Set.of(Rule.OCSP_BACK);

  /** Returns what must hold, and whether it does: what was never checked does not. */
  public Goals goals() {
    Goals goals = new Goals();
    for (Rule rule : Rule.values()) {
      goals.add(rule.words(), isJudged(rule) && findings.breaches(rule) == 0);
    }
    goals.add("the audit trail and the ledger's chains verify", !audit.isEmpty());
    goals.add(
        "certificates were revoked",
        counts.traffic().getOrDefault(Traffic.End.REVOKED.words(), 0L) > 10);
    goals.add("nodes were killed", wasDone(FaultInjector.Kind::isKill));
    goals.add("nodes were stopped", wasDone(FaultInjector.Kind::isStop));
    goals.add(
        "every scope had complete CRLs and deltas",
        !counts.lines().isEmpty()
            && counts.lines().stream().allMatch(line -> line.complete() > 0 && line.deltas() > 0)
            && counts.complete() > 2
            && counts.deltas() > 2);
    goals.add(
        "living nodes answered 99 of 100 requests", counts.unanswered() < counts.answers() / 100);
    if (terms.isLong()) {
      goals.add(
          "nodes were stopped for longer than a CRL holds",
          wasDone(kind -> kind == FaultInjector.Kind.STOPPED_LONG));
    }
    return goals;
  }

  private boolean isJudged(Rule rule) {
    return findings.checks(rule) > 0 || (!terms.isLong() && JUDGED_IN_LONG_ONES.contains(rule));
  }

  private boolean wasDone(Predicate<FaultInjector.Kind> such) {
    return Stream.of(FaultInjector.Kind.values())
        .filter(such)
        .anyMatch(kind -> counts.faults().containsKey(kind.words()));
  }

  /** Returns it as a page. */
  public Page page() {
    Table table = new Table("", "");
    table.add("time", Text.format("%.0f s", counts.seconds()));
    table.add("certificates", counts.traffic().toString());
    table.add("nodes", Text.format("%s; the leader %d times", counts.faults(), counts.leaders()));
    table.add(
        "numbers seen",
        Text.format("%d complete CRLs, %d deltas", counts.complete(), counts.deltas()));
    table.add(
        "answers",
        Text.format(
            "%d, and %d requests to living nodes without one, or asked to try later",
            counts.answers(), counts.unanswered()));
    table.add(
        "from a confirmed revocation to the CRL of each living node", figures(counts.crlDelays()));
    table.add("the same to OCSP, by when it was asked again", figures(counts.ocspDelays()));
    table.add("auditor", audit.isEmpty() ? "found fault" : audit);
    List<String> rules = new ArrayList<>();
    for (Rule rule : Rule.values()) {
      rules.add(
          Text.format(
              "%s: %d checks, %d breaches", rule, findings.checks(rule), findings.breaches(rule)));
      findings.examples(rule).forEach(breach -> rules.add("…: " + breach));
    }
    return new Page(title).table(table).goals(goals()).items(rules);
  }

  private static String figures(List<Double> seconds) {
    Percentiles sorted = new Percentiles(seconds.stream().mapToDouble(Double::doubleValue));
    return seconds.isEmpty()
        ? "none"
        : Text.format(
            "p50 %.1f s, p99 %.1f s, max %.1f s of %d",
            sorted.at(0.5), sorted.at(0.99), sorted.at(1), seconds.size());
  }
}
