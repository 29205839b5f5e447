package org.sluiceca.hsm.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.Turn;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.RecordingObserver;

/** What a group relies on, of the real token and of the fake one. */
public abstract class TokenSignerContract {
  /** Of the token under test. */
  protected static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);

  private static final byte[] MESSAGE = {1, 2, 3};

  protected final RecordingObserver observer = new RecordingObserver();

  /** The token, opened once, asked for {@link #here} and {@link #elsewhere}. */
  protected abstract TokenSigner token();

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
    token().close();
  }

  @Test
  void keys_whenOpened_saysWhatItHolds() {
    assertThat(token().keys().held()).containsExactly(here());
    assertThat(token().keys().absent()).containsOnlyKeys(elsewhere());
  }

  @Test
  void sign_healthy_signsAndIsReady() {
    assertThat(token().sign(request())).hasSize(32);
    assertThat(token().stats().state()).isEqualTo(HsmState.READY);
  }

  @Test
  void sign_tokenGone_lostWithoutExecution_thenReadyAndTold() {
    token().sign(request());
    lose();
    Await.until(
        "the loss is known",
        () -> {
          try {
            byte[] ignored = token().sign(request());
          } catch (HsmException.TokenLost e) {
            // Expected while it is gone.
          }
          return token().stats().state() == HsmState.TOKEN_LOST;
        });

    HsmException.TokenLost lost =
        catchThrowableOfType(HsmException.TokenLost.class, () -> token().sign(request()));
    assertThat(lost.mayHaveExecuted()).isFalse();

    observer.states.clear();
    giveBack();
    // A session of before the loss may still be replaced after that: READY ⇄ RECOVERING.
    Await.until(
        "ready is told, and it is",
        () ->
            observer.states.contains(HsmState.READY) && token().stats().state() == HsmState.READY);
    assertThat(token().sign(request())).hasSize(32);
  }

  @Test
  void sign_hungCall_timedOutAfterTheCallTimeout_aZombieUntilItReturns() {
    token().sign(request());
    hang();

    HsmException.SignTimedOut hung =
        catchThrowableOfType(HsmException.SignTimedOut.class, () -> token().sign(request()));
    assertThat(hung.inToken()).isGreaterThanOrEqualTo(CALL_TIMEOUT);
    assertThat(hung.mayHaveExecuted()).isTrue();
    assertThat(token().stats().zombieCalls()).isEqualTo(1);

    release();
    Await.until("the call returns", () -> token().stats().zombieCalls() == 0);
    assertThat(token().sign(request())).hasSize(32);
  }

  @Test
  void sign_closed_saidSo() {
    token().close();

    assertThatThrownBy(() -> token().sign(request())).isInstanceOf(HsmException.Closed.class);
    assertThat(token().stats().state()).isEqualTo(HsmState.CLOSED);
  }

  private SignRequest request() {
    return new SignRequest(
        here(),
        Mechanism.ECDSA_SHA256,
        MESSAGE,
        Turn.by(System.nanoTime() + Duration.ofSeconds(10).toNanos()));
  }
}
