package org.sluiceca.api.http.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandshakesTest {

  private static final long MILLISECOND = 1_000_000;

  private final Set<Integer> over = ConcurrentHashMap.newKeySet();
  private final Handshakes<Integer> handshakes =
      new Handshakes<>(2, over::contains, 20 * MILLISECOND);

  @Test
  void begin_asManyAsMay_theNextFindsNoPlace() {
    assertThat(handshakes.begin(1)).isTrue();
    assertThat(handshakes.begin(2)).isTrue();

    assertThat(handshakes.begin(3)).isFalse();
  }

  /** Or it would wait for its own end behind those who have not begun. */
  @Test
  void begin_inItsHandshake_goesOnThoughAllPlacesAreTaken() {
    handshakes.begin(1);
    handshakes.begin(2);

    assertThat(handshakes.begin(1)).isTrue();
    handshakes.settle(1);
    assertThat(handshakes.begin(3)).as("it had one place, and has it").isFalse();
  }

  @Test
  void begin_handshakeLongOver_needsNoPlace() {
    handshakes.begin(1);
    handshakes.begin(2);
    over.add(3);

    assertThat(handshakes.begin(3)).isTrue();
    handshakes.settle(3);
    assertThat(handshakes.begin(4)).as("it gave back none").isFalse();
  }

  @Test
  void settle_over_itsPlaceIsFreeOnce() {
    handshakes.begin(1);
    handshakes.begin(2);
    over.add(1);

    handshakes.settle(1);
    handshakes.settle(1);

    assertThat(handshakes.begin(3)).isTrue();
    assertThat(handshakes.begin(4)).isFalse();
  }

  @Test
  void settleAll_someClosedElsewhere_theirPlacesAreFree() {
    handshakes.begin(1);
    handshakes.begin(2);
    over.add(2);

    handshakes.settleAll();

    assertThat(handshakes.begin(3)).isTrue();
    assertThat(handshakes.begin(4)).isFalse();
  }

  @Test
  void begin_whileItWaitsAPlaceIsGivenBack_takesIt() throws InterruptedException {
    Handshakes<Integer> patient = new Handshakes<>(1, over::contains, TimeUnit.SECONDS.toNanos(50));
    patient.begin(1);
    Thread waiting = Thread.ofVirtual().start(() -> assertThat(patient.begin(2)).isTrue());
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    over.add(1);

    patient.settle(1);
    waiting.join();

    over.add(2);
    patient.settle(2);
    assertThat(patient.begin(3)).as("it was the waiter's").isTrue();
  }

  @Test
  void begin_interrupted_noPlaceAndStillInterrupted() {
    Thread.currentThread().interrupt();

    assertThat(handshakes.begin(1)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(handshakes.begin(1)).isTrue();
    assertThat(handshakes.begin(2)).isTrue();
  }
}
