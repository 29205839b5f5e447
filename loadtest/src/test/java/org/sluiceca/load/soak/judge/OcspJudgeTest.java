package org.sluiceca.load.soak.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.soak.judge.OcspJudge.Said;
import org.sluiceca.load.soak.judge.OcspJudge.Status;

class OcspJudgeTest {

  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");
  private static final int LIFETIME = 60;
  private static final int BOUND = 5;

  /** How far thisUpdate lies before producedAt. */
  private static final int SKEW = 300;

  private final ExpectedState expected = new ExpectedState();
  private final Lives lives = new Lives(2, START);
  private final Findings findings = new Findings();
  private final OcspJudge judge =
      new OcspJudge(expected, lives, findings, Duration.ofSeconds(BOUND));
  private final int certificate = expected.issued("01", "/crl/issuing.crl");

  private static Instant at(double second) {
    return START.plusMillis((long) (1000 * second));
  }

  private void see(int node, double second, Status status, double from) {
    judge.see(
        new Look(node, at(second), at(second + 0.01)),
        certificate,
        new Said(status, at(from - SKEW), at(from + LIFETIME), at(from)));
  }

  private void ask(boolean isRelease, double second) {
    expected.asks(certificate, isRelease, at(second - 0.1));
    expected.confirmed(certificate, at(second));
  }

  private Set<Rule> broken() {
    return Stream.of(Rule.values())
        .filter(rule -> findings.breaches(rule) > 0)
        .collect(Collectors.toSet());
  }

  @Test
  void heldAndReleasedAndRevoked_toldInTime_nothingIsBroken() {
    see(0, 1, Status.GOOD, 0);
    ask(false, 10);
    see(0, 11, Status.GOOD, 0);
    see(1, 11, Status.REVOKED, 10);
    see(0, 12, Status.REVOKED, 11);
    ask(true, 20);
    see(0, 22, Status.REVOKED, 11);
    see(0, 24, Status.GOOD, 23);
    see(1, 24, Status.GOOD, 23);
    ask(false, 30);
    see(0, 31, Status.REVOKED, 31);

    assertThat(broken()).isEmpty();
    assertThat(judge.delays()).hasSize(3);
  }

  @Test
  void keptGoodAnswerLongAfterTheRevocation_isBroken_unlessTheNodeWasStopped() {
    ask(false, 10);
    lives.down(1);
    lives.up(1, at(16));
    see(1, 17, Status.GOOD, 0);
    see(0, 14.9, Status.GOOD, 0);
    assertThat(broken()).isEmpty();

    see(0, 15, Status.GOOD, 0);

    assertThat(broken()).containsExactly(Rule.OCSP_LATE);
  }

  @Test
  void freshGoodAnswerLongAfterTheRevocation_isBroken_alsoOfANodeThatHasJustBegun() {
    ask(false, 10);
    lives.down(0);
    lives.up(0, at(16));

    see(0, 16.5, Status.GOOD, 15);

    assertThat(broken()).containsExactly(Rule.OCSP_LATE);
  }

  @Test
  void answerPastItsNextUpdate_orOfTheFuture_isBroken() {
    see(0, LIFETIME, Status.GOOD, 0);
    assertThat(broken()).isEmpty();

    see(0, LIFETIME + 0.001, Status.GOOD, 0);
    assertThat(broken()).containsExactly(Rule.STALE);
    see(0, LIFETIME + 1, Status.GOOD, LIFETIME + 2);

    assertThat(findings.breaches(Rule.STALE)).isEqualTo(2);
  }

  @Test
  void goodAgainAfterRevoked_isBroken() {
    ask(false, 10);
    see(0, 11, Status.REVOKED, 10);

    see(0, 12, Status.GOOD, 0);

    assertThat(broken()).containsExactly(Rule.OCSP_BACK);
  }

  @Test
  void goodAgainAfterRevokedForGoodFromHold_isBroken() {
    ask(false, 10);
    ask(true, 12);
    ask(false, 14);
    see(0, 15, Status.REVOKED, 14);

    see(0, 16, Status.GOOD, 13);

    assertThat(broken()).containsExactly(Rule.OCSP_BACK);
  }

  @Test
  void goodAgainAfterTheLastRevoked_isBroken_thoughTheFirstWasOfAnEarlierHold() {
    ask(false, 10);
    see(0, 11, Status.REVOKED, 10);
    // No client asked between the hold and what came for good.
    ask(true, 12);
    ask(false, 14);
    see(0, 15, Status.REVOKED, 14);

    see(0, 16, Status.GOOD, 13);

    assertThat(broken()).containsExactly(Rule.OCSP_BACK);
    assertThat(judge.delays()).hasSize(1);
  }

  @Test
  void goodAfterRevoked_isCheckedOnce_andNotBrokenWhenReleased() {
    see(0, 9, Status.GOOD, 0);
    ask(false, 10);
    see(0, 11, Status.REVOKED, 10);
    ask(true, 12);
    see(0, 13, Status.GOOD, 12);
    see(0, 14, Status.GOOD, 12);

    assertThat(broken()).isEmpty();
    assertThat(findings.checks(Rule.OCSP_BACK)).isEqualTo(1);
  }

  @Test
  void revokedThoughNobodyEverAsked_isBroken_alsoOfANodeThatHasJustBegun() {
    lives.down(0);
    lives.up(0, at(10));

    see(0, 11, Status.REVOKED, 10);

    assertThat(broken()).containsExactly(Rule.PHANTOM);
  }

  @Test
  void revokedThoughReleased_ofANodeThatHasJustBegun_isNotBroken() {
    ask(false, 1);
    ask(true, 2);
    lives.down(0);
    lives.up(0, at(10));

    see(0, 11, Status.REVOKED, 1);

    assertThat(broken()).isEmpty();
  }

  @Test
  void revokedThoughNobodyDid_orReleasedLongAgo_isBroken() {
    see(0, 11, Status.REVOKED, 10);
    assertThat(broken()).containsExactly(Rule.PHANTOM);
    ask(false, 12);
    ask(true, 20);
    see(1, 24.9, Status.REVOKED, 13);
    assertThat(findings.breaches(Rule.PHANTOM)).isEqualTo(1);

    see(1, 25, Status.REVOKED, 13);

    assertThat(findings.breaches(Rule.PHANTOM)).isEqualTo(2);
  }

  @Test
  void unknownThoughIssued_isBroken() {
    see(0, 1, Status.UNKNOWN, 0);

    assertThat(broken()).containsExactly(Rule.OCSP_REFUSED);
  }
}
