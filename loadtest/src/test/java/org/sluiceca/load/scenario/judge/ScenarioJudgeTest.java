package org.sluiceca.load.scenario.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.watch.LedgerRow;

/** Each fault is planted once, and what looks for it alone must find it. */
class ScenarioJudgeTest {

  @Test
  void wholeRun_missesNothing() {
    ScenarioResults results = new PlantedRun().results();

    assertThat(new PlantedRun().missed()).isEmpty();
    assertThat(results.certificates()).isEqualTo(1000);
    assertThat(results.errors()).isEmpty();
    assertThat(results.figures()).containsEntry("knee", 0.5).containsEntry("rss-max", 301.0);
    assertThat(results.phases().getFirst().of(Measure.LATENCY_P99)).isEqualTo(100);
    // Queued 0.1 s for ten jobs, each second and node.
    assertThat(results.figures().get("wait-mean"))
        .isCloseTo(10, org.assertj.core.data.Offset.offset(0.01));
  }

  @Test
  void lostCertificate_isFound() {
    assertThat(new PlantedRun().lost().missed()).containsExactly("lost");
  }

  /** Segments that were interrupted have no figures, but what was promised in them holds. */
  @Test
  void interruptedPhase_isJudgedByItsPromisesAlone() {
    PlantedRun run = new PlantedRun().interrupted();
    run.interruptedShots.replaceAll(sent -> PlantedRun.late(sent, 9));

    assertThat(run.missed()).isEmpty();
    assertThat(run.results().interrupted()).isEqualTo(run.interruptedShots.size());
    assertThat(run.results().certificates()).isEqualTo(1100);
    assertThat(run.results().phases()).hasSize(PlantedRun.PHASES);
  }

  @Test
  void certificateLostInAnInterruption_isFound() {
    PlantedRun run = new PlantedRun().interrupted();
    run.interruptedRows.remove(3);

    assertThat(run.missed()).containsExactly("lost");
  }

  @Test
  void requestIssuedTwiceAroundAnInterruption_isFound() {
    PlantedRun run = new PlantedRun().interrupted();
    LedgerRow row = run.interruptedRows.get(3);
    run.interruptedRows.add(
        new LedgerRow("ffee", row.requester(), row.key(), row.issuer(), row.outcome()));

    assertThat(run.missed()).containsExactly("doubled-requests");
  }

  /** Killed with it: an intent that no node finished. */
  @Test
  void requestThatAnInterruptionLeftOpen_isFound() {
    PlantedRun run = new PlantedRun().interrupted();
    LedgerRow row = run.interruptedRows.get(3);
    run.interruptedRows.set(
        3, new LedgerRow("ffee", row.requester(), row.key(), row.issuer(), Optional.empty()));
    run.interruptedShots.removeIf(sent -> sent.request().key().equals(row.key()));

    assertThat(run.missed()).containsExactly("unfinished");
  }

  @Test
  void certificateOfAnother_isLost() {
    PlantedRun run = new PlantedRun();
    run.records
        .get(3)
        .set(
            0,
            new RequestRecords(run.records.get(3).getFirst())
                .serial(run.rows.get(5).getFirst().serial()));

    assertThat(run.missed()).containsExactly("lost");
  }

  /** The generator's own fault: users that came to life too late. */
  @Test
  void lateGenerator_isFound() {
    PlantedRun run = new PlantedRun().records(Kind.ENROLL, 20, sent -> PlantedRun.late(sent, 0.08));

    assertThat(run.missed()).containsExactly("late-p99", "started-late-p99");
  }

  /** A closed loop sends less to a slow service, and would call that fast. */
  @Test
  void requestsThatWereNeverSent_areFound() {
    PlantedRun run = new PlantedRun();
    run.records.get(2).remove(run.records.get(2).size() - 2);

    assertThat(run.missed()).containsExactly("unsent");
  }

  /** Of a phase alone: the others' answers do not hide it. */
  @Test
  void operationsThatWereNeverSent_areFound() {
    PlantedRun run = new PlantedRun();
    run.records.get(2).removeIf(sent -> sent.kind() == Kind.OCSP);

    assertThat(run.missed()).containsExactly("unsent");
    assertThat(run.results().figures()).containsEntry("unsent", 100.0);
  }

  /** What was not measured has not been shown to be flat. */
  @Test
  void looksThatEndEarly_areFound() {
    PlantedRun run = new PlantedRun();
    run.looks.removeIf(look -> look.epochMillis() > 40_000);

    assertThat(run.missed()).containsExactly("looks-share");
  }

  @Test
  void leakOfOneNode_isFound() {
    PlantedRun run =
        new PlantedRun()
            .looks(look -> look.node() == 0 ? look : Looks.rss(look, look.epochMillis() * 0.0003));

    assertThat(run.missed()).containsExactly("rss-growth");
  }

  @Test
  void threadsThatStay_areFound() {
    PlantedRun run =
        new PlantedRun().looks(look -> Looks.threads(look, (int) (look.epochMillis() / 10_000)));

    assertThat(run.missed()).containsExactly("threads-growth");
  }

  @Test
  void filesThatStayOpen_areFound() {
    PlantedRun run =
        new PlantedRun().looks(look -> Looks.files(look, (int) (look.epochMillis() / 4_000)));

    assertThat(run.missed()).containsExactly("files-growth");
  }

  @Test
  void queueThatGrows_isFound() {
    PlantedRun run =
        new PlantedRun().looks(look -> Looks.depth(look, (int) (look.epochMillis() / 15_000)));

    assertThat(run.missed()).containsExactly("queue-growth");
  }

  /** Slower by a tenth of its median every eleventh of the time: still below the bound of each. */
  @Test
  void latencyThatGrows_isFound() {
    PlantedRun run = new PlantedRun();
    for (int phase = 0; phase < PlantedRun.PHASES; phase++) {
      double slower = 0.005 * phase;
      run.records.get(phase).replaceAll(sent -> new RequestRecords(sent).done(slower));
    }

    assertThat(run.missed()).contains("latency-p50-growth", "latency-p99-growth");
    assertThat(run.missed()).doesNotContain("latency-p99", "lost");
  }

  @Test
  void kneeThatIsNotReached_isFound() {
    PlantedRun run = new PlantedRun();
    // Of the first phase a tenth is refused: nothing is below the knee.
    for (int i = 0; i < run.records.getFirst().size(); i++) {
      if (run.records.getFirst().get(i).kind() == Kind.ENROLL && i % 10 == 0) {
        String key = run.records.getFirst().get(i).request().key();
        run.records.getFirst().set(i, PlantedRun.answered(run.records.getFirst().get(i), 503, 5));
        run.rows.getFirst().removeIf(row -> row.key().equals(key));
      }
    }

    assertThat(run.missed()).contains("knee").doesNotContain("lost");
  }

  @Test
  void answersOfAnotherKind_areCountedByWhatTheySay() {
    PlantedRun run =
        new PlantedRun().records(Kind.OCSP, 100, sent -> PlantedRun.answered(sent, 500, -1));

    assertThat(run.missed()).containsExactly("failed-share@ocsp");
    assertThat(run.results().errors()).containsEntry("ocsp: 500", 10L);
  }

  /** A refusal that says when to come again is no failure, and no success either. */
  @Test
  void wellRefusedOperation_isNoFailure() {
    PlantedRun run =
        new PlantedRun().records(Kind.OCSP, 100, sent -> PlantedRun.answered(sent, 503, 1));

    assertThat(run.missed()).isEmpty();
    assertThat(run.results().operations())
        .anyMatch(one -> one.kind() == Kind.OCSP && one.refusedShare() > 0);
  }

  /** What a client waits is not what its last try took. */
  @Test
  void clientsThatComeAgain_areFollowedUntilTheyAreServed() {
    PlantedRun run = new PlantedRun();
    List<Exchange> first = run.records.getFirst();
    Exchange late = first.getFirst();
    Exchange never = first.get(3);
    first.set(0, PlantedRun.answered(late, 503, 7));
    first.add(PlantedRun.again(late, 7, 201));
    first.set(5, PlantedRun.answered(first.get(5), 202, -1));
    first.set(3, PlantedRun.answered(never, 503, 7));
    first.add(PlantedRun.again(never, 7, 503));
    first.add(PlantedRun.again(never, 14, 503));

    Persistence persistence = run.results().persistences().getFirst();

    assertThat(persistence.clients()).isEqualTo(PlantedRun.EACH);
    assertThat(persistence.again()).isEqualTo(2);
    assertThat(persistence.unserved()).isEqualTo(1);
    assertThat(persistence.triesMax()).isEqualTo(3);
    assertThat(persistence.p50Seconds()).isCloseTo(0.1, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(persistence.maxSeconds()).isCloseTo(7.1, org.assertj.core.data.Offset.offset(1e-6));
  }

  @Test
  void forgottenRevocation_isFound() {
    PlantedRun run = new PlantedRun();
    run.revocations.remove("040010");

    assertThat(run.missed()).containsExactly("revocations-lost");
  }

  /** Without a figure nothing is proved. */
  @Test
  void runThatNobodyLookedAt_keepsNoLimit() {
    PlantedRun run = new PlantedRun();
    run.looks.clear();

    assertThat(run.missed())
        .containsExactly(
            "looks-share",
            "rss-growth",
            "threads-growth",
            "files-growth",
            "queue-growth",
            "hsm-queue-growth");
  }
}
