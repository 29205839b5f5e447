package org.sluiceca.load.soak.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Two nodes that are asked from second 0 on, and have lived for long by then. */
class SilenceJudgeTest {

  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");

  private final Lives lives = new Lives(2, START.minusSeconds(60));
  private final Findings findings = new Findings();
  private final SilenceJudge judge =
      new SilenceJudge(
          lives,
          findings,
          new SilenceJudge.Bounds(Duration.ofSeconds(10), Duration.ofSeconds(15)),
          START);

  private static Instant at(double second) {
    return START.plusMillis((long) (1000 * second));
  }

  private void answered(int node, double sent, double received) {
    judge.answered(new Look(node, at(sent), at(received)));
  }

  private void unanswered(int node, double sent, double received) {
    judge.unanswered(new Look(node, at(sent), at(received)));
  }

  private long breaches() {
    return findings.breaches(Rule.SILENT);
  }

  @Test
  void answersAllTheTime_slowOnesAmongThem_nothingIsBroken() {
    for (int second = 0; second < 60; second += 10) {
      answered(0, second + 6, second + 9);
      unanswered(1, second, second + 4);
      answered(1, second + 5, second + 8);
    }
    judge.end(at(68));

    assertThat(breaches()).isZero();
    assertThat(findings.checks(Rule.SILENT)).isEqualTo(20);
  }

  @Test
  void hungNode_isBrokenAfterTheBound_whileOthersAnswer() {
    answered(0, 1, 1);
    answered(1, 1, 1);
    unanswered(1, 7, 11);
    answered(0, 11, 11);
    assertThat(breaches()).isZero();

    unanswered(1, 7.1, 11.1);

    assertThat(breaches()).isEqualTo(1);
    assertThat(findings.examples(Rule.SILENT)).singleElement().asString().startsWith("node 1 at ");
  }

  @Test
  void hungNodeThatAnswersAgain_isBrokenByItsLateAnswer_once() {
    answered(0, 1, 1);

    answered(0, 8, 11.1);
    answered(0, 12, 12.1);

    assertThat(breaches()).isEqualTo(1);
  }

  @Test
  void nodeThatNeverAnswered_isBroken() {
    unanswered(0, 6, 10);
    assertThat(breaches()).isZero();

    unanswered(0, 6.1, 10.1);

    assertThat(breaches()).isEqualTo(1);
  }

  @Test
  void stoppedNode_isNotBroken_norWhenItHasJustGoneOn() {
    answered(0, 1, 1);
    lives.down(0);
    unanswered(0, 16, 20);
    lives.up(0, at(30));
    unanswered(0, 44.9, 48.9);
    assertThat(breaches()).isZero();

    unanswered(0, 45, 49);

    assertThat(breaches()).isEqualTo(1);
  }

  @Test
  void end_nodeThatNobodyAsksAnyMore_isBroken() {
    for (int second = 10; second <= 50; second += 10) {
      answered(0, second, second);
      answered(1, second - 1, second - 1);
    }
    lives.down(1);
    judge.end(at(60));
    assertThat(breaches()).isZero();
    lives.up(1, at(30));

    judge.end(at(60));

    assertThat(breaches()).isEqualTo(1);
  }
}
