package org.sluiceca.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.request.RequesterId;

class QuotasTest {

  private static final long SECOND = 1_000_000_000;

  private final Quotas quotas = new Quotas(new Quota(3, Duration.ofSeconds(30)));
  private long now = -5 * SECOND;

  @Test
  void refusedFor_wholeQuotaAtOnce_thenOneEachTimeItsPartHasPassed() {
    for (int i = 0; i < 3; i++) {
      assertThat(quotas.refusedFor(who(1), now)).as("request %d", i).isEmpty();
      quotas.use(who(1), now);
    }

    assertThat(quotas.refusedFor(who(1), now)).hasValue(10);
    assertThat(quotas.refusedFor(who(2), now)).isEmpty();
    now += 10 * SECOND;
    assertThat(quotas.refusedFor(who(1), now)).isEmpty();
    quotas.use(who(1), now);
    assertThat(quotas.refusedFor(who(1), now)).isPresent();
  }

  @Test
  void refusedFor_askedAgainAndAgain_laterTurns() {
    for (int i = 0; i < 3; i++) {
      quotas.use(who(1), now);
    }
    double first = quotas.refusedFor(who(1), now).orElseThrow();
    double last = first;
    for (int i = 0; i < 5; i++) {
      last = quotas.refusedFor(who(1), now).orElseThrow();
    }

    assertThat(last).isGreaterThanOrEqualTo(first + 20);
  }

  @Test
  void use_moreThanAreKnown_thoseWhoUsedItOfLateAreKept() {
    for (int i = 0; i < 3 * Quotas.KNOWN_MAX; i++) {
      quotas.use(who(i), now);
      quotas.use(who(-1), now);
    }

    assertThat(quotas.size()).isEqualTo(Quotas.KNOWN_MAX);
    assertThat(quotas.refusedFor(who(-1), now)).isPresent();
  }

  private static RequesterId who(int number) {
    return new RequesterId("r" + (number < 0 ? "x" : number));
  }
}
