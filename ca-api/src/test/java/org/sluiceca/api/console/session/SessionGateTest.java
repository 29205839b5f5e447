package org.sluiceca.api.console.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.x509.OctetString;

/** Made-up cookies queue, and those that are known do not queue with them. */
class SessionGateTest {

  private static final OctetString KNOWN = Tokens.hash("known");

  private final SessionGate gate = new SessionGate(Duration.ZERO);

  @Test
  void find_whileAStrangerIsLookedUp_knownIsServedAndStrangersAreRefused() throws Exception {
    gate.made(KNOWN);
    CountDownLatch isAsking = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread stranger =
        Thread.ofVirtual()
            .start(
                () ->
                    gate.find(
                        Tokens.hash("stranger"),
                        id -> {
                          isAsking.countDown();
                          await(goOn);
                          return Optional.empty();
                        }));
    isAsking.await();

    assertThat(gate.find(KNOWN, id -> Optional.of("session"))).contains("session");
    assertThat(
            catchThrowableOfType(
                    ProblemException.class,
                    () -> gate.find(Tokens.hash("other"), id -> Optional.of("session")))
                .type())
        .isEqualTo(ProblemType.SATURATED);

    goOn.countDown();
    stranger.join();
    assertThat(gate.find(Tokens.hash("other"), id -> Optional.of("session"))).contains("session");
  }

  /** Nothing is believed for longer than a request. */
  @Test
  void find_sessionThatEnded_askedForAgainAndNotFound() {
    gate.made(KNOWN);

    assertThat(gate.find(KNOWN, id -> Optional.empty())).isEmpty();
    assertThat(gate.find(KNOWN, id -> Optional.of("again"))).contains("again");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
