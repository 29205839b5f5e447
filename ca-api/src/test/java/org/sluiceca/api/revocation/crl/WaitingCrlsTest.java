package org.sluiceca.api.revocation.crl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSpacing;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.IssuerName;

/** Which CRLs a node leaves to other nodes, or to a later pass. */
class WaitingCrlsTest {

  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A signature takes this; so the CRLs of one signer are 12.5 s apart. */
  private static final Duration SIGNATURE = Duration.ofMillis(500);

  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  private final WaitingCrls waiting =
      new WaitingCrls(
          new IssuerCatalog(List.of(Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")))),
          this::isSignable,
          name -> Optional.of(new CrlSpacing.Signer("hsm", SIGNATURE)),
          new CrlTerms(Duration.ofHours(1), Duration.ofHours(24), Optional.empty()));

  private boolean isSignable(IssuerName name) {
    RuntimeException planted = failure.get();
    if (planted != null) {
      throw planted;
    }
    return true;
  }

  /** A scope whose CRL was signed at {@code signed}, and that has had an event since a second. */
  private static ScopeState pending(Duration signed, Duration now) {
    return state(signed, now, Optional.empty(), Optional.of(now.minus(SECOND)));
  }

  private static ScopeState state(
      Duration signed, Duration now, Optional<Duration> reserved, Optional<Duration> pending) {
    Instant start = Fixtures.NOW;
    Instant issued = start.plus(signed);
    return new ScopeState(
        SCOPE,
        start.plus(now),
        Optional.of(new ScopeState.Newest(7, issued, issued.plus(Duration.ofDays(1)), issued, 0)),
        reserved.map(start::plus),
        pending.map(since -> new ScopeState.Pending(start.plus(since), false)),
        Optional.empty());
  }

  private void begin(ScopeState state) {
    waiting.begin(List.of(state), Duration.ZERO);
  }

  @Test
  void begin_signerHadOneAShortTimeAgo_waitsUntilTheNextMayCome() {
    begin(pending(Duration.ZERO, Duration.ofMillis(12_499)));
    assertThat(waiting.isWaiting(SCOPE)).isTrue();

    begin(pending(Duration.ZERO, Duration.ofMillis(12_500)));
    assertThat(waiting.isWaiting(SCOPE)).isFalse();
  }

  @Test
  void begin_whetherItCanSignIsUnknown_doesNotWaitForOthers() {
    failure.set(new SignerUnavailable("planted", false, null));

    begin(pending(Duration.ZERO, Duration.ofSeconds(5)));

    assertThat(waiting.isWaiting(SCOPE)).isFalse();
  }

  @Test
  void leave_untilTheNextPass() {
    ScopeState free = pending(Duration.ZERO, Duration.ofSeconds(15));
    begin(free);

    waiting.leave(SCOPE);
    assertThat(waiting.isWaiting(SCOPE)).isTrue();

    begin(free);
    assertThat(waiting.isWaiting(SCOPE)).isFalse();
  }

  @Test
  void isLeftToOthers_eventHasWaitedForThePatienceOfANode() {
    Duration now = Duration.ofSeconds(5);
    ScopeState recent =
        state(Duration.ZERO, now, Optional.empty(), Optional.of(now.minusMillis(1_999)));
    ScopeState older =
        state(Duration.ZERO, now, Optional.empty(), Optional.of(now.minusMillis(2_000)));
    begin(recent);

    assertThat(waiting.isWaiting(SCOPE)).isTrue();
    assertThat(waiting.isLeftToOthers(recent)).isFalse();
    assertThat(waiting.isLeftToOthers(older)).isTrue();
    begin(pending(Duration.ZERO, Duration.ofSeconds(15)));
    assertThat(waiting.isLeftToOthers(older)).as("it waits no longer").isFalse();
  }

  @Test
  void failed_restsUntilOthersHadTime() {
    CrlName name = CrlName.complete(SCOPE);
    Duration rest = CrlIssuance.SIGN_MAX.multipliedBy(3);

    waiting.failed(name, pending(Duration.ZERO, Duration.ZERO));

    assertThat(waiting.isResting(name, pending(Duration.ZERO, rest.minusMillis(1)))).isTrue();
    assertThat(waiting.isResting(name, pending(Duration.ZERO, rest))).isFalse();
    assertThat(waiting.isResting(CrlName.delta(SCOPE), pending(Duration.ZERO, SECOND))).isFalse();
  }

  @Test
  void deltaTaken_onlyTheDeltaRests() {
    waiting.deltaTaken(pending(Duration.ZERO, Duration.ZERO));

    ScopeState later = pending(Duration.ZERO, SECOND);
    assertThat(waiting.isResting(CrlName.delta(SCOPE), later)).isTrue();
    assertThat(waiting.isResting(CrlName.complete(SCOPE), later)).isFalse();
  }

  /** The higher number may be one that this node never sees. */
  @Test
  void defersToNewer_sameNumberAgain_onlyOnce() {
    ScopeState state = pending(Duration.ZERO, SECOND);

    assertThat(waiting.defersToNewer(state, 7)).isTrue();
    assertThat(waiting.defersToNewer(state, 7)).isFalse();
    assertThat(waiting.defersToNewer(state, 8)).isTrue();
  }

  @Test
  void defersToNewer_numberReserved_never() {
    ScopeState reserved =
        state(Duration.ZERO, SECOND, Optional.of(Duration.ZERO), Optional.of(Duration.ZERO));

    assertThat(waiting.defersToNewer(reserved, 7)).isFalse();
  }

  @Test
  void noBase_untilTheIntervalIsOverOrABaseIsFound() {
    Duration interval = Duration.ofMinutes(10);
    ScopeState now = pending(Duration.ZERO, Duration.ZERO);
    assertThat(waiting.isBaseless(now)).isFalse();

    waiting.noBase(now, interval);

    assertThat(waiting.isBaseless(pending(Duration.ZERO, interval.minusMillis(1)))).isTrue();
    assertThat(waiting.isBaseless(pending(Duration.ZERO, interval))).isFalse();
    waiting.baseFound(SCOPE);
    assertThat(waiting.isBaseless(now)).isFalse();
  }
}
