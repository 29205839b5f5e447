package org.sluiceca.core.bench.ratio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.bench.ratio.Figures.Cost;

/** The comparison on planted figures: nothing is measured here. */
class RatioGateTest {

  private static final String STEP_3 = "step3 / verification";

  private static final RatioBaseline BASELINE =
      RatioBaseline.parse(
          List.of(
              "# a comment",
              "",
              "step3 / verification = 1.300, 15 %",
              "reading / parsing = 0.800, 25 %",
              "reading bytes = 6000, 5 %"));

  private static Map<String, Double> run() {
    return new HashMap<>(
        Map.of(
            STEP_3,
            1.3,
            "reading / parsing",
            0.8,
            "reading bytes",
            6_000.0,
            "slower reading / parsing",
            1.2,
            "wasteful reading bytes",
            7_040.0));
  }

  private static List<String> faultsWith(String name, double value) {
    Map<String, Double> values = run();
    values.put(name, value);
    return RatioGate.faults(BASELINE, new Figures(values));
  }

  @Test
  void faults_asTheBaseline_none() {
    assertThat(RatioGate.faults(BASELINE, new Figures(run()))).isEmpty();
  }

  @Test
  void faults_atTheLimit_noneAndAboveItNamesFigureAndBothValues() {
    assertThat(faultsWith(STEP_3, 1.3 * 1.15)).isEmpty();
    assertThat(faultsWith(STEP_3, 1.5))
        .containsExactly("step3 / verification: was 1.30, is 1.50 (+15 %, tolerated 15 %)");
    assertThat(faultsWith(STEP_3, 0.5)).isEmpty();
  }

  @Test
  void faults_moreBytes_namesThem() {
    assertThat(faultsWith("reading bytes", 6_300)).isEmpty();
    assertThat(faultsWith("reading bytes", 6_301))
        .containsExactly("reading bytes: was 6000, is 6301 (+5 %, tolerated 5 %)");
  }

  @Test
  void faults_notANumber_isOne() {
    assertThat(faultsWith(STEP_3, Double.NaN)).hasSize(1);
  }

  @Test
  void faults_figureOnOneSideAlone_isNamed() {
    Map<String, Double> less = run();
    less.remove(STEP_3);
    assertThat(RatioGate.faults(BASELINE, new Figures(less)))
        .containsExactly("step3 / verification is in the baseline and was not measured");
    assertThat(faultsWith("step9 / verification", 1))
        .singleElement()
        .satisfies(fault -> assertThat(fault).contains("step9", "not in the baseline"));
  }

  /** A run so noisy that it would miss a regression is no good run. */
  @Test
  void faults_plantedRegressionWithinTheLimit_isOne() {
    assertThat(faultsWith("slower reading / parsing", 0.99))
        .singleElement()
        .satisfies(fault -> assertThat(fault).contains("slower reading", "would not notice"));
    assertThat(faultsWith("wasteful reading bytes", 6_100))
        .singleElement()
        .satisfies(fault -> assertThat(fault).contains("wasteful reading bytes"));
  }

  @Test
  void faults_emptyBaseline_neverPasses() {
    assertThat(RatioGate.faults(RatioBaseline.parse(List.of()), new Figures(run()))).isNotEmpty();
  }

  @Test
  void renewed_keepsTolerances_andIsReadAgain() {
    String text = BASELINE.renewed(RatioGate.real(new Figures(run())));

    assertThat(text).contains("step3 / verification = 1.300, 15 %\n").doesNotContain("wasteful");
    assertThat(RatioBaseline.parse(text.lines().toList())).isEqualTo(BASELINE);
  }

  @Test
  void lax_muchBetter_isNamed() {
    Map<String, Double> values = run();
    values.put(STEP_3, 1.0);

    assertThat(BASELINE.lax(new Figures(values))).containsExactly(STEP_3);
  }

  @Test
  void parse_otherLines_refused() {
    assertThatThrownBy(() -> RatioBaseline.parse(List.of("step3 / verification 1.3")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Figures.parse(List.of("step3 / verification")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Each round at another speed of the machine, one of them with an interruption of one side. */
  @Test
  void ofRounds_machineChangesItsSpeed_ratioStays() {
    List<Map<String, Cost>> rounds =
        List.of(round(1, 1), round(3, 1), round(0.5, 1), round(2, 40), round(1.5, 1));

    Figures figures = Figures.ofRounds(rounds);

    assertThat(figures.values().get(STEP_3)).isEqualTo(1.3);
    assertThat(figures.values().get("reading bytes")).isEqualTo(6_000);
    assertThat(Figures.parse(figures.lines())).isEqualTo(figures);
  }

  private static Map<String, Cost> round(double speed, double interruption) {
    Map<String, Cost> costs = new HashMap<>();
    for (String name :
        List.of(
            "signature",
            "parsing",
            "step4+step7",
            "step4",
            "step7",
            "reading",
            "slower reading",
            "wasteful reading")) {
      costs.put(name, new Cost(100 * speed, 6_000));
    }
    costs.put("verification", new Cost(100 * speed, 0));
    costs.put("step3", new Cost(130 * speed * interruption, 9_000));
    return costs;
  }

  /** The committed file has exactly the figures that a run gives. */
  @Test
  void baseline_committed_hasAllFigures() throws IOException {
    RatioBaseline committed =
        RatioBaseline.parse(
            Files.readAllLines(Path.of("..", "docs", "performance", "ratio-baseline.txt")));

    assertThat(committed.entries().keySet())
        .isEqualTo(RatioGate.real(Figures.ofRounds(List.of(round(1, 1)))).values().keySet());
  }

  /** Once each, so that a change of the line does not break the nightly run unnoticed. */
  @Test
  void work_once_isDone() throws Exception {
    for (LineWork.Work work : new LineWork(4).all().values()) {
      assertThat(work.once()).isNotNull();
    }
  }

  @Test
  void ofForks_oneCompiledBadly_medianOfAll() {
    Figures good = new Figures(Map.of(STEP_3, 1.3));

    assertThat(Figures.ofForks(List.of(good, new Figures(Map.of(STEP_3, 9.0)), good)))
        .isEqualTo(good);
  }
}
