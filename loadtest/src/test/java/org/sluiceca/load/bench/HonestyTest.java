package org.sluiceca.load.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each fault is planted in a record that is honest without it. */
class HonestyTest {

  @Test
  void of_honest_noFaultAndNoDoubt() {
    Honesty honesty = judge(Records.honest());

    assertThat(honesty.faults()).isEmpty();
    assertThat(honesty.doubts()).isEmpty();
  }

  @Test
  void of_fewerStoredThanAnswered_fault() {
    assertFault(
        Records.store(Records.THEIRS, 20_000),
        Records.store(Records.THEIRS, 19_999),
        "20000 certificates were answered, 19999 are stored");
  }

  @Test
  void of_moreStoredThanSent_fault() {
    assertFault(
        Records.store(Records.THEIRS, 20_000),
        Records.store(Records.THEIRS, 20_065),
        "20064 requests were sent, 20065 certificates are stored");
  }

  @Test
  void of_storedBeforeTheFirstLoad_notCounted() {
    List<String> lines =
        changed(
            Records.store(Records.THEIRS, 20_000),
            Records.store(Records.THEIRS, 20_007).replace("before=0", "before=7"));

    assertThat(judge(lines).faults()).isEmpty();
  }

  @Test
  void of_storeNeverCounted_fault() {
    List<String> lines = new ArrayList<>(Records.honest());
    lines.removeLast();

    assertThat(judge(lines).faults()).singleElement().asString().contains("counted 0 times");
  }

  @Test
  void of_certificateThatDoesNotVerify_fault() {
    assertFault(
        "after=20000\tverified=ok",
        "after=20000\tverified=unable to get issuer",
        "does not verify: unable to get issuer");
  }

  @Test
  void of_nothingIssued_fault() {
    assertFault(
        Records.run(Records.OURS, 2, 10_000, 10_016),
        Records.run(Records.OURS, 2, 0, 16),
        "round 2: nothing was issued");
  }

  @Test
  void of_moreAnswersThanRequests_fault() {
    assertFault(
        Records.run(Records.OURS, 2, 10_000, 10_016),
        Records.run(Records.OURS, 2, 10_000, 9_999),
        "10000 answers to 9999 requests");
  }

  @Test
  void of_roundMissing_fault() {
    List<String> lines = new ArrayList<>(Records.honest());
    lines.remove(Records.run(Records.THEIRS, 3, 5_000, 5_016));
    lines.remove(Records.store(Records.THEIRS, 20_000));
    lines.add(Records.store(Records.THEIRS, 15_000));

    assertThat(judge(lines).faults())
        .singleElement()
        .asString()
        .contains("rounds [1, 2] of [1, 2, 3]");
  }

  @Test
  void of_refusedAnswer_doubt() {
    List<String> lines =
        changed(
            Records.run(Records.THEIRS, 3, 5_000, 5_016),
            Records.run(Records.THEIRS, 3, 5_000, 5_016).replace("other=0", "other=2"));

    assertThat(judge(lines).faults()).isEmpty();
    assertThat(judge(lines).doubts()).singleElement().asString().contains("2 answers without");
  }

  @Test
  void of_otherWorkOnTheMachine_doubt() {
    List<String> lines =
        changed(
            Records.run(Records.THEIRS, 3, 5_000, 5_016),
            Records.run(Records.THEIRS, 3, 5_000, 5_016)
                .replaceFirst("busyMicros=\\d+", "busyMicros=6000000"));

    assertThat(judge(lines).doubts())
        .singleElement()
        .asString()
        .contains("other processes had 21 %");
  }

  @Test
  void of_conditionNotTold_fault() {
    for (String fact : Records.facts()) {
      List<String> lines = new ArrayList<>(Records.honest());
      assertThat(lines.remove(fact)).isTrue();

      assertThat(judge(lines).faults())
          .singleElement()
          .isEqualTo("not stated: " + fact.split("\t", -1)[1]);
    }
  }

  @Test
  void of_fewDistinctRequests_doubt() {
    assertThat(judge(changed("requests\t12000", "requests\t999")).doubts())
        .singleElement()
        .asString()
        .contains("999 distinct requests");
    assertThat(judge(changed("requests\t12000", "requests\t1000")).doubts()).isEmpty();
  }

  @Test
  void of_noWarmUp_doubt() {
    assertThat(judge(changed("warm-up s\t60", "warm-up s\t0")).doubts())
        .singleElement()
        .asString()
        .contains("no warm-up");
  }

  private static void assertFault(String honest, String planted, String said) {
    assertThat(judge(changed(honest, planted)).faults()).anyMatch(fault -> fault.contains(said));
  }

  private static List<String> changed(String honest, String planted) {
    List<String> lines =
        Records.honest().stream().map(line -> line.replace(honest, planted)).toList();
    assertThat(lines).isNotEqualTo(Records.honest());
    return lines;
  }

  private static Honesty judge(List<String> lines) {
    return Honesty.of(Measured.parse(lines));
  }
}
