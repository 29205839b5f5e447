package org.sluiceca.load.soak.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A good history of two nodes breaks no rule; each planted fault breaks its own. Times are seconds
 * of the history.
 */
class LineJudgeTest {

  private static final String SCOPE = "/crl/issuing/1.crl";
  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");
  private static final int NODES = 2;
  private static final int CERTIFICATES = 6;
  private static final int LIFETIME = 75;

  /** Of bounds: ten seconds to publish, five to follow. */
  private static final LineJudge.Bounds BOUNDS =
      new LineJudge.Bounds(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(300));

  /** How far thisUpdate lies before the time of issue. */
  private static final int SKEW = 300;

  private final ExpectedState expected = new ExpectedState();
  private final Lives lives = new Lives(NODES, START);
  private final Findings findings = new Findings();
  private final LineJudge judge = new LineJudge(SCOPE, expected, lives, findings, BOUNDS);

  LineJudgeTest() {
    IntStream.range(0, CERTIFICATES).forEach(i -> expected.issued("0" + i, SCOPE));
  }

  private static Instant at(double second) {
    return START.plusMillis((long) (1000 * second));
  }

  private static Look look(int node, double second) {
    return new Look(node, at(second), at(second + 0.01));
  }

  private static BitSet set(int... numbers) {
    BitSet set = new BitSet();
    Arrays.stream(numbers).forEach(set::set);
    return set;
  }

  private static CrlView complete(long number, double second, int... revoked) {
    return new CrlView(
        number,
        OptionalLong.empty(),
        at(second - SKEW),
        at(second),
        at(second + LIFETIME),
        "c" + number,
        set(revoked),
        set());
  }

  private static CrlView delta(
      long number, long base, double second, BitSet revoked, BitSet removed) {
    return new CrlView(
        number,
        OptionalLong.of(base),
        at(second - SKEW),
        at(second),
        at(second + 40),
        "d" + number,
        revoked,
        removed);
  }

  private void revoke(int certificate, double second) {
    expected.asks(certificate, false, at(second - 0.1));
    expected.confirmed(certificate, at(second));
  }

  private void release(int certificate, double second) {
    expected.asks(certificate, true, at(second - 0.1));
    expected.confirmed(certificate, at(second));
  }

  private Set<Rule> broken() {
    return Stream.of(Rule.values())
        .filter(rule -> findings.breaches(rule) > 0)
        .collect(Collectors.toSet());
  }

  /** What a service does that is right: 0 is revoked, 1 held and released. */
  private void goodHistory() {
    judge.see(look(0, 1), complete(100, 0));
    judge.see(look(1, 1.5), complete(100, 0));
    revoke(0, 2);
    judge.see(look(0, 3), complete(110, 2, 0));
    expected.asks(1, false, at(3));
    judge.see(look(1, 3.2), complete(110, 2, 0));
    expected.confirmed(1, at(3.5));
    judge.see(look(0, 5), complete(120, 4, 0, 1));
    release(1, 6);
    judge.see(look(1, 8), delta(130, 100, 7, set(0), set(1)));
    judge.see(look(0, 8.1), delta(130, 100, 7, set(0), set(1)));
    // The look between was missed: an older number comes to light after a newer one.
    judge.see(look(1, 8.2), complete(120, 4, 0, 1));
    judge.see(look(0, 9), complete(140, 8, 0));
    judge.see(look(1, 9), complete(140, 8, 0));
  }

  @Test
  void goodHistory_nothingIsBroken() {
    goodHistory();

    assertThat(broken()).isEmpty();
    assertThat(findings.checks(Rule.DELTA)).isGreaterThan(10);
    assertThat(judge.numbers(false)).isEqualTo(4);
    assertThat(judge.numbers(true)).isEqualTo(1);
    assertThat(judge.delays()).isNotEmpty().allMatch(delay -> delay < 3);
  }

  @Test
  void oneNumberForTwoContents_onTwoNodes_isBroken() {
    goodHistory();
    CrlView other = complete(140, 8, 0);

    judge.see(
        look(1, 10),
        new CrlView(
            140,
            OptionalLong.empty(),
            at(8 - SKEW),
            at(8),
            at(80),
            "other",
            other.revoked(),
            other.removed()));

    assertThat(broken()).containsExactly(Rule.NUMBER_TWICE);
  }

  @Test
  void deltaUnderTheNumberOfACompleteCrl_isBroken() {
    goodHistory();

    judge.see(look(1, 10), delta(140, 100, 8, set(0), set()));

    assertThat(broken()).contains(Rule.NUMBER_TWICE);
  }

  @Test
  void nodeServesALowerNumberAgain_isBroken_alsoAfterItsRestart() {
    goodHistory();
    lives.down(0);
    lives.up(0, at(12));

    judge.see(look(0, 12.5), complete(120, 4, 0, 1));

    assertThat(broken()).containsExactly(Rule.BACKWARDS);
  }

  @Test
  void nodeStaysBehind_isBrokenAfterTheBound_unlessItWasStopped() {
    goodHistory();
    judge.see(look(0, 20), complete(150, 19, 0));

    judge.see(look(1, 24), complete(140, 8, 0));
    assertThat(broken()).isEmpty();
    lives.down(1);
    lives.up(1, at(26));
    judge.see(look(1, 27), complete(140, 8, 0));
    assertThat(broken()).isEmpty();
    judge.see(look(1, 31.5), complete(140, 8, 0));

    assertThat(broken()).containsExactly(Rule.BEHIND);
  }

  @Test
  void higherNumberOfAnEarlierTime_isBroken() {
    goodHistory();

    judge.see(look(0, 10), complete(150, 7, 0));

    assertThat(broken()).containsExactly(Rule.TIME_ORDER);
  }

  @Test
  void crlPastItsNextUpdate_isBroken_andNotInItsLastMoment() {
    goodHistory();

    judge.see(look(0, 8 + LIFETIME), complete(140, 8, 0));
    assertThat(broken()).isEmpty();
    judge.see(look(0, 8.001 + LIFETIME), complete(140, 8, 0));

    assertThat(broken()).containsExactly(Rule.STALE);
  }

  @Test
  void crlOfTheFuture_isBroken() {
    goodHistory();

    judge.see(look(0, 10), complete(150, 11, 0));

    assertThat(broken()).containsExactly(Rule.STALE);
  }

  @Test
  void revocationNotOnANodesCrlInTime_isBroken() {
    goodHistory();
    revoke(2, 9.5);

    judge.see(look(1, 19), complete(140, 8, 0));
    assertThat(broken()).isEmpty();
    judge.see(look(1, 20), complete(140, 8, 0));

    assertThat(broken()).containsExactly(Rule.LATE);
  }

  @Test
  void crlThatDoesNotKnowWhatWasConfirmedBeforeIt_isBroken() {
    goodHistory();
    revoke(2, 10);

    judge.see(look(0, 10.5), complete(150, 9, 0));
    assertThat(broken()).isEmpty();
    judge.see(look(0, 11), complete(160, 10, 0));

    assertThat(broken()).containsExactly(Rule.FORGOTTEN);
  }

  @Test
  void entryThatNobodyReleasedLeaves_isBroken() {
    goodHistory();
    // Not confirmed: only the earlier CRL shows that it was revoked.
    expected.asks(2, false, at(9));

    judge.see(look(0, 10), complete(150, 9, 0, 2));
    assertThat(broken()).isEmpty();
    judge.see(look(0, 11), complete(160, 10, 0));

    assertThat(broken()).containsExactly(Rule.GONE);
  }

  @Test
  void entryOfSomebodyElseLeaves_isBroken() {
    goodHistory();
    int foreign = expected.numberOf("ff", SCOPE);
    judge.see(look(0, 10), complete(150, 9, 0, foreign));
    assertThat(broken()).isEmpty();

    judge.see(look(0, 11), complete(160, 10, 0));

    assertThat(broken()).containsExactly(Rule.GONE);
  }

  @Test
  void nobodyRevokedIt_isBroken() {
    goodHistory();

    judge.see(look(0, 10), complete(150, 9, 0, 3));

    assertThat(broken()).containsExactly(Rule.PHANTOM);
  }

  @Test
  void releasedAndStillOnANewCrl_isBroken() {
    goodHistory();

    judge.see(look(0, 10), complete(150, 9, 0, 1));

    assertThat(broken()).containsExactly(Rule.PHANTOM);
  }

  @Test
  void deltaThatForgetsARevocation_isBroken() {
    goodHistory();
    revoke(2, 9.5);

    judge.see(look(0, 11), delta(150, 100, 10, set(0), set(1)));

    assertThat(broken()).containsExactly(Rule.DELTA);
  }

  @Test
  void deltaThatForgetsARelease_isBrokenOverTheCrlThatHadIt() {
    goodHistory();

    judge.see(look(0, 11), delta(150, 100, 10, set(0), set()));

    assertThat(broken()).containsExactly(Rule.DELTA);
  }

  @Test
  void deltaThatForgetsWhatOnlyTheLatestCrlHas_isBroken() {
    goodHistory();
    expected.asks(2, false, at(9));
    judge.see(look(0, 10), complete(150, 9, 0, 2));

    judge.see(look(0, 11), delta(160, 100, 10, set(0), set(1)));

    assertThat(broken()).containsExactly(Rule.DELTA);
  }

  @Test
  void deltaToADelta_orToItself_isBroken() {
    goodHistory();

    judge.see(look(0, 11), delta(150, 130, 10, set(0), set(1)));

    assertThat(broken()).containsExactly(Rule.DELTA);
  }

  @Test
  void deltaWhoseBaseTheNodeHasNot_isBrokenAtItsNextCompleteCrl() {
    goodHistory();
    judge.see(look(1, 10), complete(150, 9, 0));
    judge.see(look(0, 11), delta(160, 150, 10, set(), set()));
    assertThat(broken()).isEmpty();

    judge.see(look(0, 11.5), complete(140, 8, 0));

    assertThat(broken()).containsExactly(Rule.DELTA);
  }

  @Test
  void completeCrlThatComesToLightLate_isPutUnderTheDeltasThatAreKnown() {
    goodHistory();
    revoke(2, 9);
    release(2, 9.8);
    // It had to be removed again for clients that have the CRL of when it was on hold.
    judge.see(look(0, 11), delta(160, 100, 10, set(0), set(1)));
    assertThat(broken()).isEmpty();

    judge.see(look(1, 11), complete(155, 9.5, 0, 2));

    assertThat(broken()).containsExactly(Rule.DELTA);
  }

  @Test
  void livingNodeWithoutACrl_isBroken_andNotOneThatHasJustBegun() {
    goodHistory();
    lives.down(1);
    lives.up(1, at(20));

    judge.absent(look(1, 25), false, 503);
    assertThat(broken()).isEmpty();
    judge.absent(look(1, 31), false, 503);

    assertThat(broken()).containsExactly(Rule.ABSENT);
  }

  @Test
  void nodeThatHadADeltaHasNone_isBroken_andNotOneThatNeverHad() {
    judge.see(look(1, 1), complete(100, 0));

    judge.absent(look(1, 30), true, 404);
    assertThat(broken()).isEmpty();
    judge.see(look(1, 31), delta(130, 100, 30, set(), set()));
    judge.absent(look(1, 32), true, 404);

    assertThat(broken()).containsExactly(Rule.ABSENT);
  }

  @Test
  void deltaThatNeverCame_isBrokenOnceAnotherNodeHasOneForLong() {
    judge.see(look(0, 20), complete(100, 0));
    judge.see(look(1, 20), complete(100, 0));
    judge.absent(look(1, 20.5), true, 404);
    judge.see(look(0, 21), delta(130, 100, 20, set(), set()));

    judge.absent(look(1, 31), true, 404);
    assertThat(broken()).isEmpty();
    judge.absent(look(1, 31.1), true, 404);

    assertThat(broken()).containsExactly(Rule.ABSENT);
  }

  @Test
  void deltaThatNeverCame_toANodeThatHasJustBegun_isNotBroken() {
    judge.see(look(0, 21), delta(130, 100, 20, set(), set()));
    lives.down(1);
    lives.up(1, at(25));

    judge.absent(look(1, 34.9), true, 404);
    assertThat(broken()).isEmpty();
    judge.absent(look(1, 35), true, 404);

    assertThat(broken()).containsExactly(Rule.ABSENT);
  }

  @Test
  void late_isCheckedOnlyWhenARevocationIsDue() {
    judge.see(look(0, 20), complete(100, 19));
    assertThat(findings.checks(Rule.LATE)).isZero();
    revoke(0, 21);

    judge.see(look(0, 31), complete(110, 22, 0));

    assertThat(findings.checks(Rule.LATE)).isEqualTo(1);
    assertThat(broken()).isEmpty();
  }
}
