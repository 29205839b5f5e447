package org.sluiceca.hsm.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.RecordingObserver;

/** What a group relies on, of the real token and of the fake one. */
public abstract class TokenSignerContract {
  /** Of a token whose calls are to time out. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** Of one whose calls are not, whatever else the machine does. */
  private static final Duration LONG = Duration.ofMinutes(1);

  private static final byte[] MESSAGE = {1, 2, 3};

  protected final RecordingObserver observer = new RecordingObserver();

  // Opened in each test.
  @SuppressWarnings("NullAway.Init")
  private TokenSigner token;

  /** Opens the token, asked for {@link #here} and {@link #elsewhere}; once in a test. */
  protected abstract TokenSigner open(Duration callTimeout) throws IOException;

  /** The key that it holds. */
  protected abstract KeyRef here();

  protected abstract KeyRef elsewhere();

  protected abstract void lose();

  protected abstract void giveBack();

  protected abstract void hang();

  protected abstract void release();

  @AfterEach
  void letGo() {
    release();
    token.close();
  }

  @Test
  void keys_whenOpened_saysWhatItHolds() throws IOException {
    token = open(LONG);

    assertThat(token.keys().held()).containsExactly(here());
    assertThat(token.keys().absent()).containsOnlyKeys(elsewhere());
  }

  @Test
  void sign_healthy_signsAndIsReady() throws IOException {
    token = open(LONG);

    assertThat(token.sign(request())).hasSize(32);
    assertThat(token.stats().state()).isEqualTo(HsmState.READY);
  }

  @Test
  void sign_tokenGone_lostWithoutExecution_thenReadyAndTold() throws IOException {
    token = open(LONG);
    token.sign(request());
    lose();
    Await.until(
        "the loss is known",
        () -> {
          try {
            byte[] _ = token.sign(request());
          } catch (HsmException.TokenLost e) {
            // Expected while it is gone.
          }
          return token.stats().state() == HsmState.TOKEN_LOST;
        });

    HsmException.TokenLost lost =
        catchThrowableOfType(HsmException.TokenLost.class, () -> token.sign(request()));
    assertThat(lost.mayHaveExecuted()).isFalse();

    observer.states.clear();
    giveBack();
    // A session of before the loss may still be replaced after that: READY ⇄ RECOVERING.
    Await.until(
        "ready is reported, and it is",
        () -> observer.states.contains(HsmState.READY) && token.stats().state() == HsmState.READY);
    assertThat(token.sign(request())).hasSize(32);
  }

  @Test
  void sign_hungCall_timedOutAfterTheCallTimeout_aZombieUntilItReturns() throws IOException {
    token = open(SHORT);
    hang();

    HsmException.SignTimedOut hung =
        catchThrowableOfType(HsmException.SignTimedOut.class, () -> token.sign(request()));
    assertThat(hung.inToken()).isGreaterThanOrEqualTo(SHORT);
    assertThat(hung.mayHaveExecuted()).isTrue();
    assertThat(token.stats().zombieCalls()).isEqualTo(1);

    release();
    Await.until("the call returns", () -> token.stats().zombieCalls() == 0);
    Await.until("it signs again", this::signs);
  }

  @Test
  void sign_closed_saidSo() throws IOException {
    token = open(LONG);
    token.close();

    assertThatThrownBy(() -> token.sign(request())).isInstanceOf(HsmException.Closed.class);
    assertThat(token.stats().state()).isEqualTo(HsmState.CLOSED);
  }

  /** A busy machine may keep a sound call for as long as {@link #SHORT}. */
  private boolean signs() {
    try {
      return token.sign(request()).length == 32;
    } catch (HsmException e) {
      return false;
    }
  }

  private SignRequest request() {
    return new SignRequest(
        here(),
        Mechanism.ECDSA_SHA256,
        MESSAGE,
        SignSchedule.by(System.nanoTime() + LONG.toNanos()));
  }
}
