package org.sluiceca.load.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;

/** The goals of phases and of the run, with what was seen. */
final class GoalTable {

  /** More names would make a row too long to read. */
  private static final int NAMES_SHOWN = 3;

  private GoalTable() {}

  /**
   * A goal that phases share stands once, with the worst that was seen.
   *
   * @param missedAlone whether it has what was missed alone, each with the phases that missed it
   */
  static Table of(Results results, boolean missedAlone) {
    Table table = new Table("of", "goal", "seen", "");
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
      String base = worst.goal().isRelative() ? " (" + number(worst.base()) + ")" : "";
      table.add(
          of(missedAlone ? missed : verdicts, results),
          worst.goal() + base,
          number(worst.value()),
          judged(worst, missed, missedAlone || missed.size() == verdicts.size()));
    }
    return table;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "nothing" : Text.number(value, value == Math.rint(value) ? 0 : 3);
  }

  private static String of(List<Verdict> verdicts, Results results) {
    if (verdicts.size() == results.measured().size() && verdicts.size() > 1) {
      return "every phase";
    }
    return verdicts.size() <= NAMES_SHOWN ? names(verdicts) : verdicts.size() + " phases";
  }

  private static String names(List<Verdict> verdicts) {
    return verdicts.stream().map(Verdict::phase).collect(Collectors.joining(", "));
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
        missed.size() > NAMES_SHOWN ? " in " + missed.size() + " phases" : " in " + names(missed);
    return "MISSED"
        + (isSaid ? "" : where)
        + (worst.isOfBusyMachine() ? ": the processors were the limit" : "");
  }
}
