package org.sluiceca.load.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.inside.Meter;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.watch.LedgerRow;

/** Each fault that a run may show is planted once, and is found for its own reason alone. */
class PlantedFaultsTest {

  private static LedgerRow by(LedgerRow row, String node) {
    return new LedgerRow(
        row.serial(),
        row.requester(),
        row.key(),
        row.issuer(),
        row.outcome().map(end -> new LedgerRow.Outcome(end.kind(), node, end.at())));
  }

  private static Exchange late(Exchange was, long byNanos) {
    return new Exchange(
        was.request(),
        was.node(),
        was.dueNanos(),
        was.sentNanos() + byNanos,
        was.doneNanos() + byNanos,
        was.status(),
        was.serial(),
        was.retryAfterSeconds(),
        was.isResent());
  }

  @Test
  void nothingPlanted_allGoalsMet() {
    Planted run = new Planted();

    assertThat(run.missed()).isEmpty();
    assertThat(run.figures().of(Measure.GOODPUT)).isCloseTo(20, within(0.5));
    assertThat(run.figures().of(Measure.LATENCY_P99)).isEqualTo(100);
  }

  private static Arguments fault(String goal, Consumer<Planted> plant) {
    return Arguments.of(goal, plant);
  }

  private static void changeRow(Planted run, UnaryOperator<LedgerRow> change) {
    run.rows().set(7, change.apply(run.rows().get(7)));
  }

  private static void addRow(Planted run, UnaryOperator<LedgerRow> like) {
    run.rows().add(like.apply(run.rows().get(7)));
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        // A node that issues too little.
        fault("jain-nodes", run -> run.rows(4, row -> by(row, "node-1"))),
        // A certificate without a row, with another serial than its row, of another requester.
        fault("lost", run -> run.rows().remove(7)),
        fault(
            "lost",
            run -> {
              Exchange was = run.exchanges().get(7);
              run.exchanges().set(7, Planted.issued(was.request(), was.dueNanos(), "serial-other"));
            }),
        fault("lost", run -> changeRow(run, row -> by(row, "c", row.issuer()))),
        fault(
            "doubled-serials",
            run ->
                addRow(
                    run,
                    row ->
                        new LedgerRow(
                            row.serial(),
                            row.requester(),
                            "run-other",
                            row.issuer(),
                            row.outcome()))),
        // One request that was issued twice.
        fault(
            "doubled-requests",
            run ->
                addRow(
                    run,
                    row ->
                        new LedgerRow(
                            "serial-more",
                            row.requester(),
                            row.key(),
                            row.issuer(),
                            row.outcome()))),
        fault("recorded-though-refused", run -> plant(run, 7, 503, OptionalInt.of(1))),
        fault("wrong-issuer", run -> changeRow(run, row -> by(row, row.requester(), "rsa"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void planted_found(String goal, Consumer<Planted> plant) {
    Planted run = new Planted();
    plant.accept(run);

    assertThat(run.missed()).containsExactly(goal);
  }

  @Test
  void nodeThatIssuesNothing_found() {
    Planted run = new Planted().rows(1, row -> by(row, "node-1"));

    assertThat(run.missed()).containsExactly("jain-nodes");
    assertThat(run.figures().of(Measure.JAIN_NODES)).isEqualTo(0.5);
  }

  @Test
  void requesterThatGetsLessThanItsEntitlement_found() {
    Planted run = new Planted();
    // Three of four requests of a are refused, and leave no row.
    for (int i = 0; i < run.exchanges().size(); i += 2) {
      if (i % 8 != 0) {
        Exchange was = run.exchanges().get(i);
        run.exchanges().set(i, Planted.answered(was, 503, OptionalInt.of(2)));
        run.rows().removeIf(row -> row.key().equals(was.request().key()));
      }
    }

    assertThat(run.missed()).containsExactly("jain-requesters");
  }

  @Test
  void refusalWithoutRetryAfter_found() {
    Planted run = new Planted();
    for (int i = 0; i < 2; i++) {
      Exchange was = run.exchanges().get(i);
      OptionalInt told = i == 0 ? OptionalInt.of(1) : OptionalInt.empty();
      run.exchanges().set(i, Planted.answered(was, 503, told));
    }
    run.rows().subList(0, 2).clear();

    assertThat(run.missed()).containsExactly("retry-after-share");
    assertThat(run.figures().of(Measure.RETRY_AFTER_SHARE)).isEqualTo(0.5);
  }

  @Test
  void promiseWithoutRow_found() {
    Planted run = new Planted();
    run.exchanges().set(7, Planted.answered(run.exchanges().get(7), 202, OptionalInt.of(1)));
    assertThat(run.missed()).isEmpty();

    run.rows().remove(7);

    assertThat(run.missed()).containsExactly("lost");
  }

  @Test
  void promiseThatIsNeverKept_found() {
    Planted run = new Planted();
    run.exchanges().set(7, Planted.answered(run.exchanges().get(7), 202, OptionalInt.of(1)));
    LedgerRow row = run.rows().get(7);
    run.rows().set(7, pending(row));

    assertThat(run.missed()).containsExactly("unfinished");
  }

  @Test
  void serialToldToTwoClients_found() {
    Planted run = new Planted();
    Exchange was = run.exchanges().get(8);
    run.exchanges().set(8, Planted.issued(was.request(), was.dueNanos(), "serial-7"));

    assertThat(run.missed()).containsExactlyInAnyOrder("lost", "doubled-serials");
  }

  /** The first node died under it after it was recorded; the second refused it. */
  @Test
  void resentRequestRefusedWithRow_isNoFault() {
    Planted run = new Planted();
    Exchange refused = Planted.answered(run.exchanges().get(7), 503, OptionalInt.of(1));
    run.exchanges()
        .set(
            7,
            new Exchange(
                refused.request(),
                refused.node(),
                refused.dueNanos(),
                refused.sentNanos(),
                refused.doneNanos(),
                refused.status(),
                refused.serial(),
                refused.retryAfterSeconds(),
                true));

    assertThat(run.missed()).isEmpty();
  }

  /** The requester rsa asks for the profile of the issuer of that name. */
  @Test
  void issuerOfARequester_isThatOfItsProfile() {
    Planted run = Planted.ofTwoIssuers();
    assertThat(run.missed()).isEmpty();
    LedgerRow row = run.rows().get(7);
    assertThat(row.issuer()).isEqualTo("rsa");
    run.rows().set(7, by(row, row.requester(), "issuing"));

    assertThat(run.missed()).containsExactly("wrong-issuer");
  }

  /** The requester of the row has asked: who did is known. */
  @Test
  void certificateOfAnotherIssuerForAnotherRequester_found() {
    Planted run = Planted.ofTwoIssuers();
    run.rows().set(7, by(run.rows().get(7), "a", "issuing"));

    assertThat(run.missed()).containsExactlyInAnyOrder("lost", "wrong-issuer");
  }

  private static LedgerRow by(LedgerRow row, String requester, String issuer) {
    return new LedgerRow(row.serial(), requester, row.key(), issuer, row.outcome());
  }

  @Test
  void refusalThatTellsNoTime_found() {
    Planted run = new Planted();
    Exchange refused = Planted.answered(run.exchanges().get(7), 503, OptionalInt.of(0));
    run.exchanges().set(7, refused);
    boolean ignored = run.rows().removeIf(row -> row.key().equals(refused.request().key()));

    assertThat(run.figures().of(Measure.RETRY_AFTER_SHARE)).isZero();
  }

  @Test
  void failedShare_countsWhatHasNoHonestEnd() {
    Planted run = new Planted();
    assertThat(run.figures().of(Measure.FAILED_SHARE)).isZero();
    // Honest: a refusal that states a time, a promise that is kept.
    plant(run, 0, 503, OptionalInt.of(1));
    plant(run, 1, 202, OptionalInt.of(1));
    plant(run, 2, Exchange.UNSENT, OptionalInt.empty());
    assertThat(run.figures().of(Measure.FAILED_SHARE)).isZero();

    plant(run, 3, 503, OptionalInt.empty());
    plant(run, 4, 500, OptionalInt.empty());
    plant(run, 5, Exchange.UNANSWERED, OptionalInt.empty());
    plant(run, 6, 202, OptionalInt.of(1));
    LedgerRow row = run.rows().get(6);
    run.rows()
        .set(
            6,
            new LedgerRow(
                row.serial(),
                row.requester(),
                row.key(),
                row.issuer(),
                row.outcome()
                    .map(end -> new LedgerRow.Outcome("abandoned", end.node(), end.at()))));

    assertThat(run.figures().of(Measure.FAILED_SHARE)).isEqualTo(4 / 199.0);
  }

  /** Half of what was due was never sent: it thins out no fault of what was. */
  @Test
  void sharesOfWhatWasSent_leaveOutWhatWasNot() {
    Planted run = new Planted();
    for (int i = 0; i < run.exchanges().size(); i++) {
      plant(run, i, i % 2 == 0 ? Exchange.UNSENT : Exchange.UNANSWERED, OptionalInt.empty());
    }

    assertThat(run.figures().of(Measure.FAILED_SHARE)).isEqualTo(1);
    assertThat(run.figures().of(Measure.UNANSWERED_SHARE)).isEqualTo(1);
    assertThat(run.figures().of(Measure.UNSENT_SHARE)).isEqualTo(0.5);
  }

  /** A generator that sent nothing has shown nothing, however good a share of 0 looks. */
  @Test
  void sharesOfNothing_areNone() {
    Planted run = new Planted();
    for (int i = 0; i < run.exchanges().size(); i++) {
      plant(run, i, Exchange.UNSENT, OptionalInt.empty());
    }
    PhaseJudge.Figures unsent = run.figures();

    for (Measure measure :
        List.of(
            Measure.LATER_SHARE,
            Measure.REFUSED_SHARE,
            Measure.OTHER_SHARE,
            Measure.UNANSWERED_SHARE,
            Measure.FAILED_SHARE)) {
      assertThat(unsent.of(measure)).as(measure.key()).isNaN();
      assertThat(unsent.of(measure, "a")).as(measure.key()).isNaN();
    }
    assertThat(unsent.of(Measure.UNSENT_SHARE)).isEqualTo(1);
    assertThat(unsent.of(Measure.RETRY_AFTER_SHARE)).isEqualTo(1);

    run.exchanges().clear();
    assertThat(run.figures().of(Measure.GOODPUT_SHARE)).isNaN();
    assertThat(run.figures().of(Measure.UNSENT_SHARE)).isNaN();
  }

  private static void plant(Planted run, int index, int status, OptionalInt retryAfter) {
    Exchange was = run.exchanges().get(index);
    run.exchanges().set(index, Planted.answered(was, status, retryAfter));
  }

  @Test
  void requesterFigures_areOfItsOwnRequestsAndRows() {
    Planted run = new Planted();
    // Half of the answers to b were late, and every fourth of its requests was refused.
    for (int i = 1; i < run.exchanges().size(); i += 4) {
      run.exchanges().set(i, late(run.exchanges().get(i), Planted.SECOND));
    }
    for (int i = 3; i < run.exchanges().size(); i += 8) {
      Exchange was = run.exchanges().get(i);
      run.exchanges().set(i, Planted.answered(was, 503, OptionalInt.of(1)));
      run.rows().removeIf(row -> row.key().equals(was.request().key()));
    }

    PhaseJudge.Figures figures = run.figures();

    assertThat(figures.requesters()).containsOnlyKeys("a", "b");
    assertThat(figures.of(Measure.LATENCY_P99, "a")).isEqualTo(100);
    assertThat(figures.of(Measure.LATENCY_P99, "b")).isEqualTo(1100);
    assertThat(figures.of(Measure.OFFERED, "b")).isCloseTo(10, within(0.5));
    assertThat(figures.of(Measure.REFUSED_SHARE, "a")).isZero();
    assertThat(figures.of(Measure.REFUSED_SHARE, "b")).isEqualTo(0.25);
    assertThat(figures.of(Measure.GOODPUT, "b")).isEqualTo(0.75 * figures.of(Measure.GOODPUT, "a"));
    assertThat(figures.of(Measure.GOODPUT_SHARE, "b")).isEqualTo(0.75);
    assertThat(figures.of(Measure.TIME_SHARE, "b")).isCloseTo(0.75 / 1.75, within(1e-9));
    assertThat(figures.of(Measure.GOODPUT, "c")).isNaN();
  }

  @Test
  void hsmFigures_ofOneAreThePhases_ofTwoTheirOwn() {
    Planted run = new Planted();
    assertThat(run.figures().of(Measure.HSM_QUEUE_P99)).isEqualTo(2);
    assertThat(run.figures().hsms()).isEmpty();

    PhaseJudge.Figures two = run.figures(List.of("near", "far"));

    assertThat(two.of(Measure.HSM_QUEUE_P99)).isNaN();
    assertThat(two.of(Measure.HSM_QUEUE_P99, "near")).isEqualTo(2);
    assertThat(two.of(Measure.HSM_SIGNED, "far")).isCloseTo(20, within(0.5));
    assertThat(two.of(Measure.HSM_QUEUE_P99, "middle")).isNaN();
  }

  /** Nothing was disturbed, so that but for the flag all three would be met. */
  @Test
  void eventThatFailed_nothingRecoversFromIt() {
    PhaseJudge.Figures done = new Planted().happened(removal(2, false)).figures();
    PhaseJudge.Figures failed = new Planted().happened(removal(2, true)).figures();

    for (Measure measure :
        List.of(Measure.GOODPUT_RECOVERY, Measure.QUEUE_RECOVERY, Measure.HSM_SIGNS_AGAIN)) {
      assertThat(done.of(measure)).as(measure.key()).isLessThan(1);
      assertThat(failed.of(measure)).as(measure.key()).isInfinite();
    }
    assertThat(failed.recoveries()).extracting(Recovery::what).containsExactly("removed (failed)");
  }

  /** An HSM that could not be stopped has not come back, whatever was done to it afterwards. */
  @Test
  void eventThatFailedBeforeOneThatDidNot_hsmNeverSignsAgain() {
    Planted run = new Planted().happened(removal(2, true)).happened(removal(4, false));

    assertThat(run.figures().of(Measure.HSM_SIGNS_AGAIN)).isInfinite();
  }

  private static Occurrence removal(int second, boolean hasFailed) {
    return taking("removed", second, second, hasFailed);
  }

  private static Occurrence taking(String what, int begun, int at, boolean hasFailed) {
    return new Occurrence(
        what,
        Optional.of("hsm"),
        begun * Planted.SECOND,
        at * Planted.SECOND,
        OptionalDouble.of(20),
        hasFailed);
  }

  /** What a node costs that starts is not laid to what happened before. */
  @Test
  void lackWhileTheNextEventTakesItsTime_isNotOfTheOneBefore() {
    Planted run =
        new Planted().happened(removal(1, false)).happened(taking("restart", 6, 9, false));
    boolean ignored =
        run.rows().removeIf(row -> row.outcome().orElseThrow().at().getEpochSecond() >= 6);

    assertThat(run.figures().recoveries())
        .extracting(Recovery::goodputSeconds)
        .containsExactly(0.0, Double.POSITIVE_INFINITY);
  }

  /** The longest counts, and what could not be done never ends. */
  @Test
  void revocations_theLongestUntilItIsOnEveryCrl() {
    Planted none = new Planted();
    Planted done =
        new Planted()
            .happened(taking("revoke", 2, 3, false))
            .happened(taking("revoke", 4, 7, false));
    Planted failed =
        new Planted()
            .happened(taking("revoke", 2, 2, true))
            .happened(taking("revoke", 4, 5, false));

    assertThat(none.figures().of(Measure.REVOCATION_PUBLISHED)).isNaN();
    assertThat(done.figures().of(Measure.REVOCATION_PUBLISHED)).isEqualTo(3);
    assertThat(failed.figures().of(Measure.REVOCATION_PUBLISHED)).isInfinite();
  }

  private static LedgerRow pending(LedgerRow row) {
    return new LedgerRow(row.serial(), row.requester(), row.key(), row.issuer(), Optional.empty());
  }

  @Test
  void requestWithoutAnswerWithRow_isNoFault() {
    Planted run = new Planted();
    Exchange was = run.exchanges().get(7);
    run.exchanges().set(7, Planted.answered(was, Exchange.UNANSWERED, OptionalInt.empty()));

    assertThat(run.missed()).isEmpty();
  }

  /** The service stood for a second, so the requests due meanwhile were sent late. */
  @Test
  void latenessOfTheGenerator_countsAsLatency() {
    Planted run = new Planted().answers(10, was -> late(was, Planted.SECOND));

    assertThat(run.missed()).containsExactly("latency-p99");
    assertThat(run.figures().of(Measure.LATENCY_P99)).isEqualTo(1100);
    assertThat(run.figures().of(Measure.LATE_P99)).isEqualTo(1000);
  }

  @Test
  void goalWithoutFigure_isMissed() {
    assertThat(new Verdict("p", Oracle.GOALS.getFirst(), Double.NaN, 1, false).isMet()).isFalse();
    assertThat(Verdict.of(List.of(), java.util.Map.of())).noneMatch(Verdict::isMet);
  }

  /** A call that may last as long as its answer may take: no client learns which of them it was. */
  @Test
  void timeoutsThatDoNotStandWithinOneAnother_found() {
    List<Meter> said =
        Meter.parse(
            """
            ca_deadline_seconds{wait="claim"} 15.0
            ca_deadline_seconds{wait="signature"} 13.0
            ca_hsm_call_timeout_seconds{hsm="hsm-0"} 5.0
            ca_hsm_base_delay_seconds{alg="ecdsa_sha256/256",hsm="hsm-0"} 0.04
            """);

    assertThat(faults(TimeoutLadder.of(10, List.of("hsm-0"), said))).isZero();
    assertThat(faults(TimeoutLadder.of(5, List.of("hsm-0"), said))).isEqualTo(1);
  }

  private static double faults(TimeoutLadder ladder) {
    return new Planted().waits(ladder).figures().of(Measure.LADDER_FAULTS);
  }
}
