package org.sluiceca.api.http.connector.evict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.BodyWait.Body;

class BodyWaitsTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long RATE = 256;

  private final BodyWaits<String> waits =
      new BodyWaits<>(new BodyWaits.Limits(4, 2, 10 * SECOND, 5 * SECOND, RATE));

  private static Body anonymous(long sinceNanos) {
    return new Body(Optional.empty(), sinceNanos, 0);
  }

  private static Body credentialed(long sinceNanos) {
    return of("requester of " + sinceNanos, sinceNanos);
  }

  private static Body of(String requester, long sinceNanos) {
    return new Body(Optional.of(requester), sinceNanos, 0);
  }

  @Test
  void begin_tooManyWithoutCredential_oldestOfThemEnds() {
    assertThat(waits.begin("known", credentialed(0))).isNull();
    assertThat(waits.begin("a", anonymous(1))).isNull();
    assertThat(waits.begin("b", anonymous(2))).isNull();

    assertThat(waits.begin("c", anonymous(3))).isEqualTo("a");
    assertThat(waits.evicted()).isEqualTo(1);
  }

  /** What counts is when the body began: a client that sends an octet now and then stays oldest. */
  @Test
  void begin_oldestWaitsOnceMore_itEnds() {
    waits.begin("drips", anonymous(1));
    waits.begin("b", anonymous(2));
    waits.end("drips");
    waits.begin("c", anonymous(3));

    assertThat(waits.begin("drips", new Body(Optional.empty(), 1, 1))).isEqualTo("drips");
  }

  @Test
  void begin_tooManyInAll_withoutCredentialFirst() {
    waits.begin("known", credentialed(0));
    waits.begin("known too", credentialed(1));
    waits.begin("known as well", credentialed(2));
    waits.begin("a", anonymous(9));

    assertThat(waits.begin("known at last", credentialed(10))).isEqualTo("a");
    assertThat(waits.begin("one more", credentialed(11))).isEqualTo("known");
  }

  /** One requester holds more than all clients without a credential may: its own oldest ends. */
  @Test
  void begin_oneRequesterHoldsMost_neitherOthersNorClientsWithoutCredentialEnd() {
    waits.begin("honest", of("honest", 0));
    waits.begin("g1", of("greedy", 1));
    waits.begin("g2", of("greedy", 2));
    waits.begin("g3", of("greedy", 3));

    assertThat(waits.begin("a", anonymous(4))).isEqualTo("g1");
    assertThat(waits.begin("g4", of("greedy", 5))).isEqualTo("g2");
    waits.end("g3");
    assertThat(waits.begin("honest too", of("honest", 6))).isNull();
    assertThat(waits.begin("third", of("third", 7))).isEqualTo("a");
  }

  @Test
  void end_placeIsFreeAgain() {
    waits.begin("a", anonymous(1));
    waits.begin("b", anonymous(2));
    waits.end("a");
    waits.end("a");

    assertThat(waits.begin("c", anonymous(3))).isNull();
  }

  @Test
  void overdue_afterItsTimeInAll_soonerWithoutCredential() {
    waits.begin("known", credentialed(0));
    waits.begin("a", new Body(Optional.empty(), 0, 64_000));

    assertThat(waits.overdue(5 * SECOND)).isEmpty();
    assertThat(waits.overdue(5 * SECOND + 1)).containsExactly("a");
    assertThat(waits.overdue(10 * SECOND)).isEmpty();
    assertThat(waits.overdue(10 * SECOND + 1)).containsExactly("known");
    assertThat(waits.overdue(10 * SECOND + 1)).isEmpty();
    assertThat(waits.evicted()).isEqualTo(2);
  }

  @Test
  void overdue_belowTheRate_afterTwoSeconds() {
    waits.begin("slow", new Body(Optional.empty(), 0, RATE - 1));
    waits.begin("fast", new Body(Optional.empty(), 0, RATE));

    assertThat(waits.overdue(2 * SECOND)).isEmpty();
    assertThat(waits.overdue(3 * SECOND)).containsExactly("slow");
  }

  @Test
  void overdue_clockThatIsNegative_countsDifferences() {
    waits.begin("a", new Body(Optional.empty(), -20 * SECOND, 64_000));

    assertThat(waits.overdue(-16 * SECOND)).isEmpty();
    assertThat(waits.overdue(-14 * SECOND)).containsExactly("a");
  }
}
