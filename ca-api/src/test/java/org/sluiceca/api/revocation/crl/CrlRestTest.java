package org.sluiceca.api.revocation.crl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.DeltaTerms;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.crl.ScopeState.Newest;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.Fixtures;

/** How long the loop of CRLs may rest. */
class CrlRestTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Duration MOST = Duration.ofSeconds(5);
  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final Duration PERIOD = Duration.ofHours(1);
  private static final Duration INTERVAL = Duration.ofMinutes(10);
  private static final CrlTerms COMPLETE = new CrlTerms(PERIOD, Duration.ofHours(24));
  private static final CrlTerms DELTAS =
      new CrlTerms(
          PERIOD, Duration.ofHours(24), Optional.of(new DeltaTerms(INTERVAL, Duration.ofHours(2))));

  private static final Optional<Pending> EVENT = Optional.of(new Pending(NOW, false));
  private static final Optional<Pending> COMPROMISE = Optional.of(new Pending(NOW, true));

  private static Newest newest(long number, Duration age) {
    Instant issued = NOW.minus(age);
    return new Newest(number, issued, issued.plus(Duration.ofHours(24)), issued, 3);
  }

  private static ScopeState state(Duration age, Optional<ScopeState.Delta> delta) {
    return new ScopeState(
        SCOPE, NOW, Optional.of(newest(7, age)), Optional.empty(), Optional.empty(), delta);
  }

  private static Optional<ScopeState.Delta> delta(Duration age, Optional<Pending> pending) {
    return Optional.of(new ScopeState.Delta(newest(8, age), pending));
  }

  private static Duration idle(CrlTerms terms, ScopeState... states) {
    return new CrlRest(terms, name -> name.isDelta() ? 8 : 7).idle(List.of(states), MOST);
  }

  @Test
  void idle_noScopesOrNothingDue_most() {
    assertThat(idle(COMPLETE)).isEqualTo(MOST);
    assertThat(idle(COMPLETE, state(Duration.ofMinutes(1), Optional.empty()))).isEqualTo(MOST);
    assertThat(
            idle(
                DELTAS,
                state(Duration.ofMinutes(1), delta(Duration.ofMinutes(1), Optional.empty()))))
        .isEqualTo(MOST);
    assertThat(idle(DELTAS, state(Duration.ofMinutes(1), delta(Duration.ofMinutes(1), EVENT))))
        .as("the next delta, in its turn, has it")
        .isEqualTo(MOST);
  }

  @Test
  void idle_soonDue_untilThenByTheScopeThatIsFirst() {
    ScopeState soon = state(PERIOD.minusSeconds(2), Optional.empty());

    assertThat(idle(COMPLETE, state(Duration.ZERO, Optional.empty()), soon))
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(
            idle(
                DELTAS,
                state(PERIOD.minusSeconds(3), delta(INTERVAL.minusSeconds(1), Optional.empty()))))
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void idle_overdue_zero() {
    assertThat(idle(COMPLETE, state(PERIOD.plusSeconds(2), Optional.empty()))).isZero();
  }

  @Test
  void idle_somethingToDo_zero() {
    Optional<Newest> newest = Optional.of(newest(7, Duration.ZERO));
    Optional<Instant> reserved = Optional.of(NOW);

    assertThat(
            idle(
                COMPLETE,
                new ScopeState(
                    SCOPE, NOW, Optional.empty(), Optional.empty(), EVENT, Optional.empty())))
        .as("no CRL")
        .isZero();
    assertThat(
            idle(
                COMPLETE,
                new ScopeState(SCOPE, NOW, newest, Optional.empty(), EVENT, Optional.empty())))
        .as("an event")
        .isZero();
    assertThat(
            idle(
                COMPLETE,
                new ScopeState(SCOPE, NOW, newest, reserved, Optional.empty(), Optional.empty())))
        .as("a number that is reserved")
        .isZero();
    assertThat(idle(DELTAS, state(Duration.ZERO, Optional.empty()))).as("no delta").isZero();
    assertThat(idle(DELTAS, state(Duration.ZERO, delta(Duration.ZERO, COMPROMISE))))
        .as("a compromise")
        .isZero();
  }

  @Test
  void idle_notPublishedHere_zero() {
    ScopeState state = state(Duration.ZERO, delta(Duration.ZERO, Optional.empty()));

    assertThat(new CrlRest(DELTAS, name -> name.isDelta() ? 8 : 6).idle(List.of(state), MOST))
        .isZero();
    assertThat(new CrlRest(DELTAS, name -> 7).idle(List.of(state), MOST)).isZero();
  }
}
