package org.sluiceca.load.day.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.Entry;
import org.sluiceca.load.day.state.History;
import org.sluiceca.load.day.state.MarkFigures;
import org.sluiceca.load.page.Goals;

/** A sound run reaches all goals; each planted fault misses its own. */
class DayGoalsTest {

  private static final DayPlan PLAN = DayPlan.of(10_000_000, "10000,1000000", 1, 0);
  private static final int SECOND = 1_000;
  private static final int PER_SECOND = 1_000;

  /** Microseconds of the node a certificate, by how many are stored. */
  private interface Cost {
    long of(long stored);
  }

  private static DayRun.Result run(Cost cost, UnaryOperator<MarkFigures> fault) {
    List<Entry> entries = new ArrayList<>();
    List<MarkFigures> marks = new ArrayList<>();
    long at = 0;
    long stored = 0;
    entries.add(new Entry.Began(0, 0, 0));
    for (int mark = 0; mark < PLAN.marks().size(); mark++) {
      for (; stored < PLAN.marks().get(mark); at += SECOND) {
        stored += PER_SECOND;
        entries.add(
            new Entry.Sampled(
                at,
                stored,
                PER_SECOND,
                1_000_000,
                PER_SECOND * cost.of(stored),
                50L * PER_SECOND,
                20L * PER_SECOND,
                900_000,
                2_000_000));
      }
      entries.add(new Entry.Paused(at, mark, stored * 3_000));
      MarkFigures sound = figures(mark);
      marks.add(mark == PLAN.marks().size() - 1 ? fault.apply(sound) : sound);
      entries.add(new Entry.Went(at, mark, stored * 3_000));
    }
    entries.add(new Entry.Ended(at, 0));
    return new DayRun.Result(PLAN, new History(entries), marks);
  }

  private static MarkFigures figures(int mark) {
    long stored = PLAN.marks().get(mark);
    Map<String, MarkFigures.Latency> latencies = new LinkedHashMap<>();
    for (String kind :
        List.of(
            "single enrollment",
            "by exact name",
            "by serial number",
            "by prefix of a name",
            "by requester, valid",
            "OCSP, first time")) {
      latencies.put(kind, new MarkFigures.Latency(300, 3 + mark, 9, 12, 0, ""));
    }
    return new MarkFigures(
        mark,
        stored,
        0,
        new MarkFigures.Books(
            stored,
            1,
            9,
            stored + 9,
            stored + 9,
            stored + 9,
            stored + 9,
            2,
            stored + 9,
            2,
            stored,
            1,
            9),
        8_000_000,
        List.of(new MarkFigures.Relation("outcome", false, 8_000_000 + stored * 2_000)),
        latencies,
        new MarkFigures.Crl(
            PLAN.toRevoke(mark), 3, 500 + stored / 100 * 40, stored / 100, stored / 100, 90, 0.4),
        220_000_000,
        4.2,
        0.5,
        9,
        "ok",
        new MarkFigures.Hsm(Double.NaN, 0, 0),
        2);
  }

  private static List<String> missed(DayRun.Result result) {
    return DayGoals.of(result).missed();
  }

  private static List<String> missed(UnaryOperator<MarkFigures> fault) {
    return missed(run(stored -> 300, fault));
  }

  @Test
  void of_soundRun_allMet() {
    List<Goals.Goal> goals = DayGoals.of(run(stored -> 300, figures -> figures)).all();

    assertThat(goals).allSatisfy(goal -> assertThat(goal.verdict()).isEqualTo(Goals.Verdict.MET));
    assertThat(goals).hasSizeGreaterThan(15);
  }

  @Test
  void of_costThatGrows_missed() {
    assertThat(missed(run(stored -> stored < 1_000_000 ? 300 : 420, figures -> figures)))
        .containsExactly(
            "processors a certificate, nodes and database, at the last mark: at most 1.3 times");
  }

  /** Cold nodes cost what they cost: it is not held against a full store. */
  @Test
  void of_costOfTheStart_leftOut() {
    assertThat(missed(run(stored -> stored < 60_000 ? 1_500 : 300, figures -> figures))).isEmpty();
  }

  @Test
  void of_lostCertificate_missed() {
    assertThat(missed(f -> with(f, books(f, -1), f.latencies(), f.crl(), f.startSeconds())))
        .containsExactly("nothing lost or doubled at 10,000,000");
  }

  @Test
  void of_doubledCertificate_missed() {
    assertThat(missed(f -> with(f, books(f, 1), f.latencies(), f.crl(), f.startSeconds())))
        .containsExactly("nothing lost or doubled at 10,000,000");
  }

  @Test
  void of_revocationNotOnTheCrl_missed() {
    assertThat(
            missed(
                f ->
                    with(
                        f,
                        f.books(),
                        f.latencies(),
                        new MarkFigures.Crl(90_000, 3, 4_000_500, 99_999, 100_000, 90, 0.4),
                        f.startSeconds())))
        .containsExactly("nothing lost or doubled at 10,000,000");
  }

  @Test
  void of_slowSearchAndWrongAnswer_missed() {
    assertThat(
            missed(
                f -> {
                  Map<String, MarkFigures.Latency> slow = new LinkedHashMap<>(f.latencies());
                  slow.put("by exact name", new MarkFigures.Latency(300, 7, 9, 12, 1, "503"));
                  return with(f, f.books(), slow, f.crl(), f.startSeconds());
                }))
        .containsExactly(
            "every question answered rightly at 10,000,000",
            "p50, by exact name: at most 2.0 times");
  }

  /** What could not be measured reaches no goal. */
  @Test
  void of_startThatGrowsOrIsUnknown_missed() {
    for (double seconds : new double[] {6.4, Double.NaN}) {
      assertThat(missed(f -> with(f, f.books(), f.latencies(), f.crl(), seconds)))
          .containsExactly("start of a node: at most 1.5 times");
    }
  }

  @Test
  void of_shortRun_costsNotJudged() {
    DayRun.Result whole = run(stored -> 300, figures -> figures);
    DayRun.Result begun =
        new DayRun.Result(PLAN, new History(List.of()), whole.marks().subList(0, 1));

    assertThat(begun.isOver()).isFalse();
    assertThat(DayGoals.of(begun).all())
        .filteredOn(goal -> goal.verdict() == Goals.Verdict.NOT_JUDGED)
        .hasSizeGreaterThan(8);
    assertThat(missed(begun)).isEmpty();
  }

  /** Twice as many certificates tell nothing of what a hundred times as many do. */
  @Test
  void of_marksCloseTogether_ratiosNotJudged() {
    DayRun.Result whole = run(stored -> 300, figures -> figures);
    MarkFigures close =
        with(
            whole.marks().get(1),
            whole.marks().get(1).books(),
            Map.of(),
            whole.marks().get(1).crl(),
            99);
    DayRun.Result both =
        new DayRun.Result(PLAN, whole.history(), List.of(whole.marks().get(1), close));

    assertThat(missed(both)).isEmpty();
  }

  @Test
  void page_ofAnyRun_hasItsMarksAndNoBrokenNumber() {
    DayRun.Result result = run(stored -> 300, figures -> figures);

    String page =
        new DayPage(result, Map.of("processors", "2"), DayGoals.of(result))
            .page(List.of("times.svg"))
            .markdown();

    assertThat(page).contains("| stored | 10,000 | 1,000,000 | 10,000,000 |").contains("times.svg");
    assertThat(page).doesNotContain("NaN").doesNotContain("null");
    assertThat(page.lines().filter(line -> line.startsWith("| µs")))
        .containsExactly("| µs of processors a certificate: nodes | 300 | 300 | 300 |");
  }

  private static MarkFigures.Books books(MarkFigures figures, long more) {
    MarkFigures.Books sound = figures.books();
    return new MarkFigures.Books(
        sound.answered(),
        sound.answeredPrint(),
        sound.probes(),
        sound.intents(),
        sound.outcomes(),
        sound.issued(),
        sound.serials(),
        sound.issuedPrint(),
        sound.indexed(),
        sound.indexedPrint(),
        sound.rows() + more,
        sound.rowsPrint(),
        sound.probeRows());
  }

  private static MarkFigures with(
      MarkFigures figures,
      MarkFigures.Books books,
      Map<String, MarkFigures.Latency> latencies,
      MarkFigures.Crl crl,
      double startSeconds) {
    return new MarkFigures(
        figures.mark(),
        figures.stored(),
        figures.atMillis(),
        books,
        figures.baseBytes(),
        figures.store(),
        latencies,
        crl,
        figures.residentBytes(),
        startSeconds,
        figures.indexSeconds(),
        figures.auditSeconds(),
        figures.audit(),
        figures.hsm(),
        figures.loadAverage());
  }
}
