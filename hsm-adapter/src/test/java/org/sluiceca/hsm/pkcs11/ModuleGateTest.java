package org.sluiceca.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls and restarts of a module pass its gate. */
@Timeout(60)
class ModuleGateTest {

  private final ModuleGate gate = new ModuleGate();
  private final AtomicInteger calls = new AtomicInteger();

  private SessionHandle session() {
    return new SessionHandle(gate.generation(), 1);
  }

  @Test
  void call_sessionOfAnEarlierLife_failsBeforeTheModule() {
    SessionHandle session = session();
    gate.run("C_Sign", session, calls::incrementAndGet);
    assertThat(gate.alone(gate::beginGeneration)).isTrue();

    assertThatThrownBy(() -> gate.run("C_Sign", session, calls::incrementAndGet))
        .isInstanceOf(CryptokiException.class)
        .hasMessageContaining("stale session");
    gate.run("C_Sign", session(), calls::incrementAndGet);

    assertThat(calls).hasValue(2);
  }

  @Test
  void alone_callHangs_notRun_otherCallsPass() throws Exception {
    CountDownLatch isIn = new CountDownLatch(1);
    CountDownLatch mayReturn = new CountDownLatch(1);
    FutureTask<Boolean> hung =
        new FutureTask<>(
            () ->
                gate.call(
                    "C_Sign",
                    null,
                    () -> {
                      isIn.countDown();
                      awaitUninterrupted(mayReturn);
                      return true;
                    }));
    Thread _ = Thread.ofPlatform().daemon().start(hung);
    isIn.await();

    assertThat(gate.alone(gate::beginGeneration)).isFalse();
    gate.run("C_Sign", session(), calls::incrementAndGet);
    assertThat(calls).hasValue(1);
    assertThat(gate.generation()).isEqualTo(1);

    mayReturn.countDown();
    assertThat(hung.get()).isTrue();
    assertThat(gate.alone(gate::beginGeneration)).isTrue();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
