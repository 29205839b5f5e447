package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.crl.ScopeState.Delta;
import org.sluiceca.core.crl.ScopeState.Newest;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.Fixtures;

/** When a delta CRL is due: both sides of every boundary. */
class DeltaScheduleTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Duration INTERVAL = Duration.ofMinutes(10);
  private static final DeltaTerms TERMS = new DeltaTerms(INTERVAL, Duration.ofHours(2));
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final DeltaSchedule schedule = new DeltaSchedule(TERMS);

  @Test
  void isDue_noCompleteCrlOrItIsOver_never() {
    assertThat(isDue(Optional.empty(), Optional.empty())).isFalse();
    assertThat(isDue(Optional.of(complete(NOW)), Optional.empty())).isFalse();
    assertThat(isDue(Optional.of(complete(NOW.plusMillis(1))), Optional.empty())).isTrue();
  }

  @Test
  void isDue_interval_afterThatAndPatience() {
    assertThat(isDue(INTERVAL.minusMillis(1), Optional.empty(), Duration.ZERO)).isFalse();
    assertThat(isDue(INTERVAL, Optional.empty(), Duration.ZERO)).isTrue();
    assertThat(isDue(INTERVAL.plus(PATIENCE).minusMillis(1), Optional.empty(), PATIENCE)).isFalse();
    assertThat(isDue(INTERVAL.plus(PATIENCE), Optional.empty(), PATIENCE)).isTrue();
  }

  @Test
  void isDue_pending_atOnceIfItIsACompromise() {
    Instant since = NOW.minus(PATIENCE);
    Duration young = Duration.ofSeconds(1);

    assertThat(isDue(young, Optional.of(new Pending(since, false)), PATIENCE)).isFalse();
    assertThat(isDue(young, Optional.of(new Pending(since, true)), PATIENCE)).isTrue();
    assertThat(isDue(young, Optional.of(new Pending(since.plusMillis(1), true)), PATIENCE))
        .isFalse();
  }

  @Test
  void isDue_numberReserved_waitsForItsSignatureButNotForEver() {
    Instant reserved = NOW.minus(CrlSchedule.RESERVED_MAX);
    Optional<Newest> newest = Optional.of(complete(NOW.plusSeconds(60)));

    assertThat(
            schedule.isDue(
                state(newest, Optional.of(reserved.plusMillis(1)), Optional.empty()),
                Duration.ZERO))
        .isFalse();
    assertThat(
            schedule.isDue(state(newest, Optional.of(reserved), Optional.empty()), Duration.ZERO))
        .isTrue();
  }

  @Test
  void terms_outOfRange_refused() {
    assertThatThrownBy(() -> new DeltaTerms(Duration.ofSeconds(9), Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DeltaTerms(INTERVAL, INTERVAL))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CrlTerms(INTERVAL, Duration.ofHours(24), Optional.of(TERMS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more often");
    assertThatThrownBy(
            () -> new CrlTerms(Duration.ofHours(1), Duration.ofMinutes(119), Optional.of(TERMS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("longer");
    assertThat(new CrlTerms(Duration.ofHours(1), Duration.ofHours(2), Optional.of(TERMS)).deltas())
        .contains(TERMS);
  }

  private boolean isDue(Optional<Newest> newest, Optional<Delta> delta) {
    return schedule.isDue(state(newest, Optional.empty(), delta), Duration.ZERO);
  }

  private boolean isDue(Duration age, Optional<Pending> pending, Duration patience) {
    Instant at = NOW.minus(age);
    Newest delta = new Newest(2, at, at.plus(TERMS.lifetime()), at, 0);
    return schedule.isDue(
        state(
            Optional.of(complete(NOW.plusSeconds(60))),
            Optional.empty(),
            Optional.of(new Delta(delta, pending))),
        patience);
  }

  private static Newest complete(Instant nextUpdate) {
    return new Newest(1, nextUpdate.minus(Duration.ofHours(24)), nextUpdate, NOW, 0);
  }

  private static ScopeState state(
      Optional<Newest> newest, Optional<Instant> reservedAt, Optional<Delta> delta) {
    return new ScopeState(
        new CrlScope(Fixtures.ISSUING, 0), NOW, newest, reservedAt, Optional.empty(), delta);
  }
}
