package org.sluiceca.load.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.watch.HsmFigures;

class RecoveryTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Occurrence AT_10 =
      new Occurrence(
          "hsm fault slow 2",
          Optional.of("hsm"),
          10 * SECOND,
          10 * SECOND,
          OptionalDouble.of(100),
          false);

  /** A hundred a second, but for some seconds that have none. */
  private static List<Long> issuedBut(int from, int until) {
    return LongStream.range(0, 4000)
        .map(i -> i * SECOND / 100)
        .filter(at -> at < from * SECOND || at >= until * SECOND)
        .boxed()
        .toList();
  }

  /** A queue of 5, but of 50 in some seconds. */
  private static List<HsmFigures> queueBut(int from, int until) {
    return IntStream.range(0, 80)
        .mapToObj(
            i ->
                new HsmFigures(
                    i * SECOND / 2,
                    1,
                    i >= 2 * from && i < 2 * until ? 50 : 5,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0))
        .toList();
  }

  private static Recovery judge(List<Long> issued, List<HsmFigures> hsm) {
    return Recovery.of(AT_10, 100, new Recovery.Seen(issued, List.of(hsm), 26), 40 * SECOND);
  }

  @Test
  void nothingLacked_recoveredAtOnce() {
    Recovery recovery = judge(issuedBut(0, 0), queueBut(0, 0));

    assertThat(recovery.goodputSeconds()).isZero();
    assertThat(recovery.queueSeconds()).isZero();
  }

  @Test
  void lackOfSixSeconds_takesNearlySix() {
    Recovery recovery = judge(issuedBut(10, 16), queueBut(10, 18));

    assertThat(recovery.goodputSeconds()).isCloseTo(5.9, within(0.2));
    assertThat(recovery.queueSeconds()).isCloseTo(7.5, within(0.5));
  }

  @Test
  void goodMomentWithinALack_isNoRecovery() {
    List<Long> issued =
        issuedBut(10, 20).stream().filter(at -> at < 21 * SECOND || at >= 25 * SECOND).toList();

    assertThat(judge(issued, List.of()).goodputSeconds()).isGreaterThan(14);
  }

  /** Three good seconds, or ten, are worth nothing to who is refused for the rest of the phase. */
  @Test
  void goodputThatHoldsAndThenFails_isNoRecovery() {
    assertThat(judge(issuedBut(20, 40), List.of()).goodputSeconds()).isInfinite();
    assertThat(judge(issuedBut(35, 40), List.of()).goodputSeconds()).isInfinite();
  }

  @Test
  void goodputThatHoldsFailsAndComesBack_takesUntilTheLastTime() {
    assertThat(judge(issuedBut(20, 26), List.of()).goodputSeconds()).isCloseTo(15.9, within(0.2));
  }

  /** Eight ninths of what is due are no lack once it was there, and no recovery before. */
  @Test
  void goodputBetweenTheBars_neitherBeginsNorEndsARecovery() {
    List<Long> fewerFrom20 = fewer(20);

    assertThat(judge(fewerFrom20, List.of()).goodputSeconds()).isZero();
    assertThat(judge(fewer(0), List.of()).goodputSeconds()).isInfinite();
  }

  /** A hundred a second, and from some second on every ninth of them is missing. */
  private static List<Long> fewer(int from) {
    return LongStream.range(0, 4000)
        .filter(i -> i < from * 100L || i % 9 != 0)
        .mapToObj(i -> i * SECOND / 100)
        .toList();
  }

  /** Of 24 arrivals a second a three seconds' stretch has 80 % or less every twentieth time. */
  @Test
  void chanceInFewArrivals_isNoLack() {
    long late = 0;
    for (int seed = 0; seed < 100; seed++) {
      double back =
          Recovery.of(AT_10, 24, new Recovery.Seen(arrivals(24, seed), List.of(), 26), 40 * SECOND)
              .goodputSeconds();
      late += back > 10 ? 1 : 0;
    }

    assertThat(late).isLessThan(5);
  }

  private static List<Long> arrivals(double perSecond, int seed) {
    Random random = new Random(seed);
    List<Long> times = new ArrayList<>();
    for (double at = 0; at < 40; at += -Math.log(1 - random.nextDouble()) / perSecond) {
      times.add((long) (at * SECOND));
    }
    return times;
  }

  @Test
  void queueThatGrowsAgain_isNoRecovery() {
    assertThat(judge(List.of(), queueBut(25, 40)).queueSeconds()).isInfinite();
    assertThat(judge(List.of(), queueBut(20, 30)).queueSeconds()).isCloseTo(19.5, within(0.1));
  }

  /** The bound is that of a percentile: one look in a hundred may be above it. */
  @Test
  void queueThatIsLongForASecond_isNoLack() {
    assertThat(judge(List.of(), queueBut(25, 26)).queueSeconds()).isZero();
  }

  @Test
  void neverInOrder_never() {
    Recovery recovery = judge(issuedBut(10, 40), queueBut(10, 40));

    assertThat(recovery.goodputSeconds()).isInfinite();
    assertThat(recovery.queueSeconds()).isInfinite();
  }

  @Test
  void queueOfTheOtherHsm_countsToo() {
    Recovery.Seen seen =
        new Recovery.Seen(issuedBut(0, 0), List.of(queueBut(0, 0), queueBut(10, 18)), 26);

    assertThat(Recovery.of(AT_10, 100, seen, 40 * SECOND).queueSeconds())
        .isCloseTo(7.5, within(0.5));
  }

  /** Ten signatures in each half second, but for some. */
  private static List<HsmFigures> signedBut(IntPredicate isIdle) {
    List<HsmFigures> looks = new ArrayList<>();
    long signed = 0;
    for (int i = 0; i < 80; i++) {
      signed += isIdle.test(i) ? 0 : 10;
      looks.add(new HsmFigures(i * SECOND / 2, 1, 0, 0, 0, 0, signed, 0, 0, 0));
    }
    return looks;
  }

  private static double signsAgain(IntPredicate isIdle) {
    return Recovery.signsAgain(10 * SECOND, signedBut(isIdle), 40 * SECOND);
  }

  @Test
  void hsmThatSignsFromTheSixthSecondOn_signsAgainThen() {
    assertThat(signsAgain(i -> i >= 20 && i < 32)).isEqualTo(6);
  }

  /** A probe, or a single request, is no return. */
  @Test
  void hsmThatSignsOnceInAWhile_signsAgainOnlyWhenItGoesOn() {
    assertThat(signsAgain(i -> i < 60 && i % 5 != 0)).isEqualTo(20);
  }

  @Test
  void hsmThatSignsAndThenStands_neverSignsAgain() {
    assertThat(signsAgain(i -> i >= 40)).isInfinite();
    assertThat(signsAgain(i -> i >= 40 && i < 60)).isEqualTo(20);
  }

  /** A look without a signature is chance, not a loss. */
  @Test
  void hsmThatPausesForASecond_signsAgainAsBefore() {
    assertThat(signsAgain(i -> i >= 40 && i < 42)).isEqualTo(0.5);
  }

  @Test
  void hsmThatNeverSigns_never() {
    assertThat(signsAgain(i -> i >= 20)).isInfinite();
    assertThat(Recovery.signsAgain(0, List.of(), 40 * SECOND)).isInfinite();
  }

  @Test
  void nothingSeen_isNoRecovery() {
    Recovery recovery = judge(List.of(), List.of());

    assertThat(recovery.goodputSeconds()).isInfinite();
    assertThat(recovery.queueSeconds()).isInfinite();
  }
}
