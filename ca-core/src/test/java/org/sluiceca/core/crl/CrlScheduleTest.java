package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.ScopeState.Newest;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.Fixtures;

/** When a CRL is due: both sides of every boundary. */
class CrlScheduleTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final CrlTerms TERMS = new CrlTerms(Duration.ofHours(1), Duration.ofHours(24));

  private final CrlSchedule schedule = new CrlSchedule(TERMS);

  @Test
  void due_neverSigned_atOnceForEverybody() {
    ScopeState state = state(Optional.empty(), Optional.empty(), Optional.empty());

    assertThat(schedule.due(state, Duration.ofSeconds(4))).isEqualTo(Due.SCHEDULED);
  }

  @Test
  void due_period_scheduledOnce() {
    assertThat(due(newest(Duration.ofHours(1).minusMillis(1), 0), Optional.empty()))
        .isEqualTo(Due.NOTHING);
    assertThat(due(newest(Duration.ofHours(1), 0), Optional.empty())).isEqualTo(Due.SCHEDULED);
  }

  @Test
  void due_pending_afterASecondAndASecondForEveryTenThousandEntries() {
    Optional<Pending> pending = Optional.of(new Pending(NOW, false));

    assertThat(due(newest(Duration.ofMillis(999), 0), pending)).isEqualTo(Due.NOTHING);
    assertThat(due(newest(Duration.ofSeconds(1), 0), pending)).isEqualTo(Due.UNSCHEDULED);
    assertThat(due(newest(Duration.ofMillis(10_999), 100_000), pending)).isEqualTo(Due.NOTHING);
    assertThat(due(newest(Duration.ofSeconds(11), 100_000), pending)).isEqualTo(Due.UNSCHEDULED);
  }

  @Test
  void due_compromise_atOnce() {
    Optional<Pending> pending = Optional.of(new Pending(NOW, true));

    assertThat(due(newest(Duration.ZERO, 100_000), pending)).isEqualTo(Due.UNSCHEDULED);
  }

  @Test
  void due_notThisNodesDoing_leftToOthersForItsPatience() {
    Duration patience = Duration.ofSeconds(3);
    ScopeState fresh =
        state(
            Optional.of(newest(Duration.ofMinutes(1), 0)),
            Optional.empty(),
            Optional.of(new Pending(NOW.minusMillis(2_999), true)));
    ScopeState stale =
        state(
            Optional.of(newest(Duration.ofMinutes(1), 0)),
            Optional.empty(),
            Optional.of(new Pending(NOW.minusSeconds(3), true)));
    ScopeState late =
        state(
            Optional.of(newest(Duration.ofHours(1).plusSeconds(2), 0)),
            Optional.empty(),
            Optional.empty());

    assertThat(schedule.due(fresh, patience)).isEqualTo(Due.NOTHING);
    assertThat(schedule.due(stale, patience)).isEqualTo(Due.UNSCHEDULED);
    assertThat(schedule.due(late, patience)).isEqualTo(Due.NOTHING);
  }

  @Test
  void due_numberReserved_waitsForItsSignatureButNotForEver() {
    Instant reserved = NOW.minus(CrlSchedule.RESERVED_MAX);
    Optional<Pending> pending = Optional.of(new Pending(NOW.minusSeconds(60), true));
    Optional<Newest> newest = Optional.of(newest(Duration.ofMinutes(2), 0));

    assertThat(
            schedule.due(
                state(newest, Optional.of(reserved.plusMillis(1)), pending), Duration.ZERO))
        .isEqualTo(Due.NOTHING);
    assertThat(schedule.due(state(newest, Optional.of(reserved), pending), Duration.ZERO))
        .isEqualTo(Due.UNSCHEDULED);
    assertThat(
            schedule.due(
                state(Optional.empty(), Optional.of(NOW), Optional.empty()), Duration.ZERO))
        .isEqualTo(Due.NOTHING);
  }

  private Due due(Newest newest, Optional<Pending> pending) {
    return schedule.due(state(Optional.of(newest), Optional.empty(), pending), Duration.ZERO);
  }

  private static Newest newest(Duration age, int entries) {
    Instant at = NOW.minus(age);
    return new Newest(1, at, at.plus(TERMS.lifetime()), at, entries);
  }

  private static ScopeState state(
      Optional<Newest> newest, Optional<Instant> reservedAt, Optional<Pending> pending) {
    return new ScopeState(
        new CrlScope(Fixtures.ISSUING, 0), NOW, newest, reservedAt, pending, Optional.empty());
  }
}
