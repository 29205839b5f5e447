package org.sluiceca.load.scenario.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.scenario.judge.ScenarioResults;

/** The goals of phases and the limits of a run, with what was seen. */
final class LimitTable {

  /** More names would make a row too long to read. */
  private static final int NAMES_SHOWN = 3;

  private final ScenarioResults results;

  LimitTable(ScenarioResults results) {
    this.results = results;
  }

  Table all() {
    return table(false);
  }

  /** Returns what was missed alone, each with the phases that missed it. */
  Table missed() {
    return table(true);
  }

  /** A goal that phases share stands once, with the worst that was seen. */
  private Table table(boolean missedAlone) {
    Table table = new Table("of", "goal or limit", "seen", "");
    Map<String, List<Verdict>> byGoal = new LinkedHashMap<>();
    for (Verdict verdict : results.verdicts()) {
      byGoal.computeIfAbsent(verdict.goal().toString(), name -> new ArrayList<>()).add(verdict);
    }
    for (List<Verdict> verdicts : byGoal.values()) {
      List<Verdict> missed = verdicts.stream().filter(verdict -> !verdict.isMet()).toList();
      if (missedAlone && missed.isEmpty()) {
        continue;
      }
      Verdict worst =
          verdicts.stream()
              .min(
                  Comparator.comparing(Verdict::isMet)
                      .thenComparingDouble(v -> v.goal().isAtLeast() ? v.value() : -v.value()))
              .orElseThrow();
      String base = worst.goal().isRelative() ? " (" + Text.number(worst.base(), 3) + ")" : "";
      table.add(
          of(missedAlone ? missed : verdicts),
          worst.goal() + base,
          Text.number(worst.value(), 3),
          judged(worst, missed, missedAlone || missed.size() == verdicts.size()));
    }
    for (ScenarioResults.Judged limit : results.limits()) {
      if (!missedAlone || !limit.isKept()) {
        table.add(
            Verdict.WHOLE_RUN,
            limit.limit().toString(),
            Text.number(limit.value(), 3),
            limit.isKept() ? "met" : "MISSED");
      }
    }
    return table;
  }

  private String of(List<Verdict> verdicts) {
    List<String> names = verdicts.stream().map(Verdict::phase).toList();
    if (names.size() == results.measured().size() && names.size() > 1) {
      return "every phase";
    }
    return names.size() <= NAMES_SHOWN ? String.join(", ", names) : names.size() + " phases";
  }

  /**
   * Says where, unless the row does.
   *
   * @param isSaid whether all phases that the row names missed it
   */
  private static String judged(Verdict worst, List<Verdict> missed, boolean isSaid) {
    if (missed.isEmpty()) {
      return "met";
    }
    String where =
        missed.size() > NAMES_SHOWN
            ? " in " + missed.size() + " phases"
            : missed.stream().map(Verdict::phase).collect(Collectors.joining(", ", " in ", ""));
    return "MISSED"
        + (isSaid ? "" : where)
        + (worst.isOfBusyMachine() ? ": the machine was the limit" : "");
  }
}
