package org.sluiceca.hsm.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmException.SignTimedOut;
import org.sluiceca.hsm.HsmException.TokenLost;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;

/** What opens a breaker, what does not, and how it closes again. */
class TokenBreakerTest {
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(1);

  private final SetClock clock = new SetClock();
  private final TokenBreaker breaker = breaker(CALL_TIMEOUT);

  /** A clock that a test sets. */
  static final class SetClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void advance(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  static Stream<HsmException> noLoss() {
    return Stream.of(
        new HsmException.Busy("busy"),
        new HsmException.Saturated(1, Duration.ZERO),
        new HsmException.DeadlineExceeded("late"),
        new HsmException.RequestRefused("refused"),
        new HsmException.SessionLost("session", true),
        new HsmException.KeyMissing("missing"),
        new HsmException.KeyMismatch("mismatch"),
        new HsmException.PinRefused("pin"),
        new HsmException.Unexpected("unknown", true),
        new HsmException.Closed(),
        new SignTimedOut(CALL_TIMEOUT.minusMillis(1)));
  }

  @ParameterizedTest
  @MethodSource("noLoss")
  void failed_withoutLossOfTheDevice_staysClosed(HsmException failure) {
    for (int i = 0; i < 100; i++) {
      breaker.failed(failure, false);
    }

    assertThat(breaker.isClosed()).isTrue();
  }

  static Stream<HsmException> losses() {
    return Stream.of(
        new TokenLost("lost", false), new TokenLost("lost", true), new SignTimedOut(CALL_TIMEOUT));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void failed_twiceByLossOfTheDevice_open(HsmException failure) {
    breaker.failed(failure, false);
    assertThat(breaker.isClosed()).isTrue();
    breaker.failed(failure, false);

    assertThat(breaker.state()).isEqualTo(TokenBreaker.State.OPEN);
    assertThat(breaker.tryProbe()).isFalse();
  }

  @Test
  void failed_onceAmongSignatures_staysClosed() {
    for (int i = 0; i < 100; i++) {
      breaker.succeeded();
      breaker.succeeded();
      breaker.succeeded();
      breaker.failed(new TokenLost("lost", true), false);
    }

    assertThat(breaker.isClosed()).isTrue();
  }

  @Test
  void tryProbe_afterTheWait_oneProbeAndItsSignatureCloses() {
    open(breaker);
    clock.advance(Duration.ofMillis(2001));

    assertThat(breaker.tryProbe()).isTrue();
    assertThat(breaker.tryProbe()).isFalse();
    breaker.succeeded();
    assertThat(breaker.isClosed()).isTrue();
  }

  @Test
  void tryProbe_probeIsBusy_theNextMayProbe() {
    open(breaker);
    breaker.halfOpen();
    assertThat(breaker.tryProbe()).isTrue();

    breaker.failed(new HsmException.Busy("busy"), true);

    assertThat(breaker.state()).isEqualTo(TokenBreaker.State.HALF_OPEN);
    assertThat(breaker.tryProbe()).isTrue();
  }

  @Test
  void tryProbe_lostAgainAndAgain_waitsLongerButNeverBeyond8Seconds() {
    open(breaker);
    for (long seconds : new long[] {2, 4, 8, 8, 8}) {
      clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
      assertThat(breaker.tryProbe()).as("before %d s", seconds).isFalse();
      clock.advance(Duration.ofMillis(2));
      assertThat(breaker.tryProbe()).as("after %d s", seconds).isTrue();
      breaker.failed(new TokenLost("still lost", false), true);
    }
  }

  @Test
  void mend_tokenIsBack_probedAtOnce() {
    open(breaker);
    assertThat(breaker.tryProbe()).isFalse();

    breaker.halfOpen();

    assertThat(breaker.tryProbe()).isTrue();
  }

  @Test
  void mend_closed_staysClosed() {
    breaker.halfOpen();

    assertThat(breaker.isClosed()).isTrue();
  }

  @Test
  void succeeded_whileOpen_probedAtOnce() {
    open(breaker);

    breaker.succeeded();

    assertThat(breaker.tryProbe()).isTrue();
  }

  @Test
  void tryProbe_probeHangs_opensAfterACallTimeoutAndAnotherMayProbe() {
    TokenBreaker hung = breaker(Duration.ofMillis(100));
    open(hung);
    hung.halfOpen();
    assertThat(hung.tryProbe()).isTrue();

    // The breaker never learns how the probe ended.
    Await.until("open again", () -> hung.state() == TokenBreaker.State.OPEN);
    clock.advance(Duration.ofSeconds(9));
    assertThat(hung.tryProbe()).isTrue();
  }

  static void open(TokenBreaker breaker) {
    breaker.failed(new TokenLost("lost", true), false);
    breaker.failed(new TokenLost("lost", true), false);
    assertThat(breaker.state()).isEqualTo(TokenBreaker.State.OPEN);
  }

  private TokenBreaker breaker(Duration callTimeout) {
    TokenSettings token = FakeToken.settings("breaker");
    HsmSettings hsm = token.hsm().withCallTimeout(callTimeout);
    return new TokenBreaker(
        new TokenSettings("breaker", hsm, token.policy()), FailureRules.STANDARD, clock);
  }
}
