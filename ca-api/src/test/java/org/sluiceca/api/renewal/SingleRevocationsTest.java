package org.sluiceca.api.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

@Timeout(60)
class SingleRevocationsTest {

  private static final Instant NOW = Instant.parse("2026-11-28T12:00:30Z");
  private static final Instant RECORDED = NOW.minusSeconds(3_600);

  /** Counts what it is asked, and fails while it is to. */
  private static final class Asked implements SingleRevocations.Source {

    private final AtomicInteger backlogs = new AtomicInteger();
    private final AtomicInteger counts = new AtomicInteger();
    private volatile Instant failing = Instant.MAX;

    @Override
    public double at(Instant time) {
      return 2;
    }

    @Override
    public double backlogSeconds(Instant time, double perSecond, boolean ofCompromised) {
      backlogs.incrementAndGet();
      if (time.equals(failing)) {
        throw new LedgerUnavailable("planted");
      }
      return ofCompromised ? 40 : 100;
    }

    @Override
    public long ahead(Instant from, Instant before, boolean ofCompromised) {
      counts.incrementAndGet();
      return 3;
    }
  }

  private final Asked source = new Asked();
  private final SingleRevocations singles = new SingleRevocations(source, Duration.ofSeconds(50));

  @Test
  void delay_askedAgain_fromMemoryForAMinute() {
    Duration first = singles.delay(RECORDED, false, NOW);

    // 100 s before the minute, less 30 s of it, and three at 2 / 2 s.
    assertThat(first).isEqualTo(Duration.ofSeconds(73));
    for (int i = 0; i < 1_000; i++) {
      assertThat(singles.delay(RECORDED, false, NOW)).isEqualTo(first);
    }
    assertThat(source.counts).hasValue(1);
    assertThat(singles.delay(RECORDED, false, NOW.plus(SingleRevocations.ANSWER_FOR)))
        .isEqualTo(first);
    assertThat(source.counts).hasValue(2);
    // The minute's backlog stays as it is.
    assertThat(source.backlogs).hasValue(1);
    assertThat(singles.delay(RECORDED, true, NOW)).isEqualTo(Duration.ofSeconds(13));
  }

  @Test
  void delay_aMinuteFails_notAskedAboutAgainForHalfAMinuteAndOthersAre() {
    singles.delay(RECORDED, false, NOW);
    Instant slow = RECORDED.minusSeconds(60);
    source.failing = slow.truncatedTo(ChronoUnit.MINUTES);
    for (int i = 1; i <= 1_000; i++) {
      Instant other = slow.plusMillis(i);
      assertThatExceptionOfType(LedgerUnavailable.class)
          .isThrownBy(() -> singles.delay(other, false, NOW));
    }
    assertThat(source.backlogs).hasValue(2);

    // What is known is answered all the while.
    assertThat(singles.delay(RECORDED, false, NOW)).isEqualTo(Duration.ofSeconds(73));
    // So are other minutes, and other reasons in this one after its own question.
    assertThat(singles.delay(RECORDED.minusSeconds(120), false, NOW))
        .isEqualTo(Duration.ofSeconds(73));
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> singles.delay(slow, true, NOW));
    assertThat(source.backlogs).hasValue(4);
    source.failing = Instant.MAX;
    Instant later = NOW.plus(SingleRevocations.FAILED_FOR);
    assertThat(singles.delay(slow, false, later)).isEqualTo(Duration.ofSeconds(73));
  }

  @Test
  void delay_anotherIsRead_knownAnswersDoNotWaitAndOthersForATimeAlone() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Instant slow = RECORDED.minus(Duration.ofMinutes(5));
    SingleRevocations impatient =
        new SingleRevocations(
            new SingleRevocations.Source() {
              @Override
              public double at(Instant time) {
                return 2;
              }

              @Override
              public double backlogSeconds(Instant time, double rate, boolean ofCompromised) {
                return 0;
              }

              @Override
              public long ahead(Instant from, Instant before, boolean ofCompromised) {
                if (before.equals(slow)) {
                  reading.countDown();
                  await(goOn);
                }
                return 0;
              }
            },
            Duration.ZERO);
    Duration known = impatient.delay(RECORDED, false, NOW);
    Thread thread = Thread.ofVirtual().start(() -> impatient.delay(slow, false, NOW));
    try {
      reading.await();

      assertThat(impatient.delay(RECORDED, false, NOW)).isEqualTo(known);
      assertThatExceptionOfType(LedgerUnavailable.class)
          .isThrownBy(() -> impatient.delay(RECORDED.plusSeconds(1), false, NOW));
    } finally {
      goOn.countDown();
      thread.join();
    }
    assertThat(impatient.delay(RECORDED.plusSeconds(1), false, NOW)).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
