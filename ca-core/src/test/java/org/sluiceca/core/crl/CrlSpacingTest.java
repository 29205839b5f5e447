package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.crl.CrlSpacing.Signer;
import org.sluiceca.core.crl.ScopeState.Newest;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.IssuerName;

/** Which CRLs wait for others: both sides of every boundary. */
class CrlSpacingTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final IssuerName OTHER = new IssuerName("other");
  private static final CrlScope A = new CrlScope(Fixtures.ISSUING, 1);
  private static final CrlScope B = new CrlScope(Fixtures.ISSUING, 2);
  private static final CrlScope C = new CrlScope(OTHER, 0);

  /** A CRL in 2.5 s. */
  private static final Duration SIGNATURE = Duration.ofMillis(100);

  @Test
  void waiting_lastCrlIsYoungerThanTheGap_waitsUntilThen() {
    ScopeState young = state(A, Duration.ofMillis(2_499), Duration.ofSeconds(1));
    ScopeState old = state(A, Duration.ofMillis(2_500), Duration.ofSeconds(1));

    assertThat(waiting(young)).containsExactly(A);
    assertThat(waiting(old)).isEmpty();
  }

  /** Whatever issuer it is of, and however it came. */
  @Test
  void waiting_anotherScopeHadACrlOrADeltaOrIsHavingOne_waits() {
    ScopeState mine = state(A, Duration.ofMinutes(1), Duration.ofSeconds(1));
    ScopeState delta =
        new ScopeState(
            C,
            NOW,
            Optional.of(newest(Duration.ofMinutes(1))),
            Optional.empty(),
            Optional.empty(),
            Optional.of(new ScopeState.Delta(newest(Duration.ofSeconds(1)), Optional.empty())));
    ScopeState reserved =
        new ScopeState(
            C,
            NOW,
            Optional.of(newest(Duration.ofMinutes(1))),
            Optional.of(NOW.minusSeconds(1)),
            Optional.empty(),
            Optional.empty());

    assertThat(waiting(mine, idle(C, Duration.ofSeconds(1)))).containsExactly(A);
    assertThat(waiting(mine, delta)).containsExactly(A);
    assertThat(waiting(mine, reserved)).containsExactly(A);
    assertThat(waiting(mine, idle(C, Duration.ofMinutes(1)))).isEmpty();
  }

  @Test
  void waiting_signedElsewhere_doesNotCount() {
    Function<IssuerName, Optional<Signer>> apart =
        issuer -> Optional.of(new Signer(issuer.value(), SIGNATURE));
    List<ScopeState> states =
        List.of(
            state(A, Duration.ofMinutes(1), Duration.ofSeconds(1)),
            state(C, Duration.ofSeconds(1), Duration.ofSeconds(2)));

    assertThat(CrlSpacing.waiting(states, Set.of(A, C), apart)).containsExactly(C);
  }

  @Test
  void waiting_several_theOneThatHasWaitedLongestIsNext() {
    ScopeState first = state(A, Duration.ofMinutes(1), Duration.ofSeconds(1));
    ScopeState second = state(B, Duration.ofMinutes(1), Duration.ofSeconds(2));

    assertThat(waiting(first, second)).containsExactly(A);
    // One that cannot be signed now holds up no other.
    assertThat(CrlSpacing.waiting(List.of(first, second), Set.of(A), signers(SIGNATURE))).isEmpty();
  }

  @Test
  void waiting_compromise_never() {
    ScopeState compromise =
        new ScopeState(
            A,
            NOW,
            Optional.of(newest(Duration.ZERO)),
            Optional.empty(),
            Optional.of(new Pending(NOW, true)),
            Optional.empty());

    assertThat(waiting(compromise, state(B, Duration.ZERO, Duration.ofSeconds(1))))
        .containsExactly(B);
  }

  @Test
  void waiting_longEnough_noMoreAndHoldsUpNoOther() {
    ScopeState over = state(A, Duration.ofMinutes(1), CrlSpacing.WAIT_MAX);
    ScopeState under = state(A, Duration.ZERO, CrlSpacing.WAIT_MAX.minusMillis(1));
    ScopeState next = state(B, Duration.ofMinutes(1), Duration.ofSeconds(1));

    assertThat(waiting(over, next)).isEmpty();
    assertThat(waiting(under)).containsExactly(A);
    assertThat(waiting(state(A, Duration.ZERO, CrlSpacing.WAIT_MAX))).isEmpty();
  }

  /** 100 µs a signature: a CRL in 2.5 ms. */
  @Test
  void waiting_fastSigner_asManyAsFitIntoWhatHasPassed() {
    List<ScopeState> states =
        Stream.concat(
                Stream.iterate(1, shard -> shard <= 99, shard -> shard + 1)
                    .map(shard -> new CrlScope(Fixtures.ISSUING, shard))
                    .map(scope -> state(scope, Duration.ofMinutes(1), Duration.ofSeconds(1))),
                Stream.of(idle(C, Duration.ofMillis(50))))
            .toList();
    Set<CrlScope> candidates =
        states.stream()
            .map(ScopeState::scope)
            .filter(scope -> !scope.equals(C))
            .collect(Collectors.toUnmodifiableSet());

    assertThat(CrlSpacing.waiting(states, candidates, signers(Duration.ofNanos(100_000))))
        .hasSize(99 - 20);
  }

  @Test
  void waiting_signerOrItsSpeedUnknown_never() {
    List<ScopeState> states = List.of(state(A, Duration.ZERO, Duration.ofSeconds(1)));

    assertThat(CrlSpacing.waiting(states, Set.of(A), issuer -> Optional.empty())).isEmpty();
    assertThat(CrlSpacing.waiting(states, Set.of(A), signers(Duration.ZERO))).isEmpty();
  }

  private static Set<CrlScope> waiting(ScopeState... states) {
    Set<CrlScope> pending =
        Stream.of(states)
            .filter(state -> state.pending().isPresent())
            .map(ScopeState::scope)
            .collect(Collectors.toUnmodifiableSet());
    return CrlSpacing.waiting(List.of(states), pending, signers(SIGNATURE));
  }

  private static Function<IssuerName, Optional<Signer>> signers(Duration time) {
    return issuer -> Optional.of(new Signer("hsm", time));
  }

  private static ScopeState state(CrlScope scope, Duration lastCrl, Duration pendingFor) {
    return new ScopeState(
        scope,
        NOW,
        Optional.of(newest(lastCrl)),
        Optional.empty(),
        Optional.of(new Pending(NOW.minus(pendingFor), false)),
        Optional.empty());
  }

  private static ScopeState idle(CrlScope scope, Duration lastCrl) {
    return new ScopeState(
        scope,
        NOW,
        Optional.of(newest(lastCrl)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Newest newest(Duration age) {
    Instant at = NOW.minus(age);
    return new Newest(1, at, at.plus(Duration.ofHours(24)), at, 0);
  }
}
