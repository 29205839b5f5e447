package org.sluiceca.api.revocation.crl;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.platform.change.RestingLoop;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlSpacing;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.DeltaTerms;
import org.sluiceca.core.crl.RecordedCrl;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;

/** What a node does in its passes over the CRLs, without its thread. */
class CrlLoopTest {

  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final CrlScope SHARD = new CrlScope(Fixtures.ISSUING, 1);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration INTERVAL = Duration.ofMinutes(10);
  private static final CrlTerms TERMS =
      new CrlTerms(
          Duration.ofHours(1),
          Duration.ofHours(24),
          Optional.of(new DeltaTerms(INTERVAL, Duration.ofHours(2))));

  /** Longer than a node's patience, and than the pause between CRLs of a scope. */
  private static final Duration WAITED = Duration.ofSeconds(10);

  private final Random random = new Random(1);

  @TempDir Path temporary;

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryRevocations store = new InMemoryRevocations(time);
  private final AtomicInteger attempts = new AtomicInteger();
  private final SoftwareKey key = SoftwareKey.named("issuer-ec-p256");
  private final Issuer issuer = Fixtures.issuing(key);
  private final CrlIssuance issuance =
      new CrlIssuance(
          counting(),
          new FakeSigner(Fixtures.ISSUING, key, key),
          new PostSignCheck(
              new IssuerCatalog(List.of(issuer))::publicKey, new BouncyCastleVerifier()),
          event -> {},
          time);

  private CrlFolder folder;
  private CrlLoop loop;

  @BeforeEach
  void make() throws IOException {
    folder = new CrlFolder(temporary, null);
    loop =
        new CrlLoop(
            new CrlLoop.Parts(
                store,
                issuance,
                new IssuerCatalog(List.of(issuer)),
                name -> true,
                name -> Optional.empty(),
                folder,
                () -> {},
                "node-0"),
            TERMS,
            new CrlMetrics(new SimpleMeterRegistry()),
            new Random(1),
            time);
    store.open(SCOPE);
  }

  /** After an upgrade or a change of shards that is so of every scope, for up to a period. */
  @Test
  void pass_noBaseForADelta_askedOncePerIntervalAndAfterTheNextCrlInItsTurn() {
    complete(Due.SCHEDULED);
    store.open(SHARD);
    // The first CRL of the shard, which is a base; the one of the scope is no longer.
    look(Duration.ofSeconds(30));
    assertThat(folder.find(CrlName.delta(SHARD))).isPresent();
    int first = attempts.get();

    look(INTERVAL.minus(Duration.ofMinutes(1)));
    assertThat(attempts).hasValue(first);
    complete(Due.UNSCHEDULED);
    look(Duration.ofSeconds(2));
    assertThat(attempts).as("it did not come in its turn").hasValue(first);
    assertThat(first).as("one for each scope").isEqualTo(2);
    look(Duration.ofMinutes(2));
    assertThat(attempts).as("one more for each scope").hasValue(4);
    assertThat(folder.find(CrlName.delta(SCOPE))).isEmpty();

    complete(Due.SCHEDULED);
    look(Duration.ofSeconds(8));
    assertThat(folder.find(CrlName.delta(SCOPE))).isPresent();
    assertThat(attempts).hasValue(5);
  }

  @Test
  void step_everyCrlIsAsItHasToBe_restsUntilAChange() {
    complete(Due.SCHEDULED);
    look(Duration.ofSeconds(30));

    RestingLoop.check(
        Set.of(Topic.REVOCATIONS, Topic.CRLS), loop::restUntilChanged, loop::step, LOOK);
  }

  private void look(Duration howLong) {
    for (Duration left = howLong; left.isPositive(); left = left.minus(LOOK)) {
      loop.pass();
      time.pass(LOOK);
    }
  }

  /** Another node's. */
  private void complete(Due due) {
    assertThat(issuance.issue(issuer, SCOPE, due, TERMS, "node-1")).isPresent();
  }

  /** The store, counting attempts at a delta. */
  private CrlStore counting() {
    return (CrlStore)
        Proxy.newProxyInstance(
            CrlStore.class.getClassLoader(),
            new Class<?>[] {CrlStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("readChanges")) {
                attempts.incrementAndGet();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** On a slow HSM all nodes would go through the same list by what they have read long ago. */
  @Test
  void pass_signaturesTakeLong_compromiseFirstAndTheRestByTheNextPass() {
    List<CrlScope> signed = new ArrayList<>();
    CrlLoop slow = loop(store, slowSigner(signed), name -> Optional.empty());
    twoScopes();
    revoke(SCOPE, RevocationReason.SUPERSEDED);
    time.pass(Duration.ofSeconds(1));
    revoke(SHARD, RevocationReason.KEY_COMPROMISE);
    time.pass(WAITED);

    CrlPass first = slow.pass();

    assertThat(signed).containsExactly(SHARD);
    assertThat(first.isLeft()).isTrue();
    CrlPass second = slow.pass();
    assertThat(signed).containsExactly(SHARD, SCOPE);
    assertThat(second.isLeft()).isFalse();
  }

  /** Neither is left to the next pass, whatever comes before it. */
  @Test
  void pass_signaturesTakeLong_everyCompromiseInTheSamePass() {
    List<CrlScope> signed = new ArrayList<>();
    CrlLoop slow = loop(store, slowSigner(signed), name -> Optional.empty());
    twoScopes();
    revoke(SCOPE, RevocationReason.KEY_COMPROMISE);
    revoke(SHARD, RevocationReason.KEY_COMPROMISE);
    time.pass(WAITED);

    slow.pass();

    assertThat(signed).containsExactlyInAnyOrder(SHARD, SCOPE);
  }

  @Test
  void pass_anotherNodeSignsAfterTheLook_notSignedAgain() {
    List<CrlScope> signed = new ArrayList<>();
    AtomicReference<Runnable> afterLook = new AtomicReference<>(() -> {});
    CrlLoop late =
        loop(
            changing(
                states -> {
                  afterLook.getAndSet(() -> {}).run();
                  return states;
                }),
            slowSigner(signed),
            name -> Optional.empty());
    twoScopes();
    revoke(SCOPE, RevocationReason.SUPERSEDED);
    time.pass(WAITED);
    afterLook.set(() -> complete(Due.UNSCHEDULED));

    late.pass();
    late.pass();

    assertThat(signed).isEmpty();
    assertThat(store.states()).allMatch(state -> state.pending().isEmpty());
    revoke(SCOPE, RevocationReason.SUPERSEDED);
    time.pass(WAITED);
    late.pass();
    assertThat(signed).as("what is revoked after that").containsExactly(SCOPE);
  }

  /** As where other nodes make deltas, and this one none. */
  @Test
  void pass_higherNumberThatIsInNoState_signedByTheNextPass() {
    List<CrlScope> signed = new ArrayList<>();
    CrlLoop blind =
        loop(
            changing(states -> states.stream().map(CrlLoopTest::withoutDelta).toList()),
            slowSigner(signed),
            name -> Optional.empty());
    twoScopes();
    assertThat(issuance.issueDelta(issuer, SCOPE, TERMS.deltas().orElseThrow(), "node-1").signed())
        .isPresent();
    revoke(SCOPE, RevocationReason.SUPERSEDED);
    time.pass(WAITED);

    blind.pass();
    blind.pass();

    assertThat(signed).containsExactly(SCOPE);
  }

  /** As of an issuer whose key is of no kind that can sign. */
  @Test
  void pass_whereAnIssuerIsSignedForIsUnknown_itDoesNotWait() {
    List<CrlScope> signed = new ArrayList<>();
    CrlLoop unable =
        loop(
            store,
            slowSigner(signed),
            name -> {
              throw new IllegalStateException("planted");
            });
    twoScopes();
    revoke(SCOPE, RevocationReason.SUPERSEDED);
    time.pass(WAITED);

    unable.pass();

    assertThat(signed).containsExactly(SCOPE);
  }

  private static ScopeState withoutDelta(ScopeState state) {
    return new ScopeState(
        state.scope(),
        state.now(),
        state.newest(),
        state.reservedAt(),
        state.pending(),
        Optional.empty());
  }

  private CrlLoop loop(
      CrlStore of, IssuerSigner signer, Function<IssuerName, Optional<CrlSpacing.Signer>> signers) {
    return new CrlLoop(
        new CrlLoop.Parts(
            of,
            new CrlIssuance(
                of,
                signer,
                new PostSignCheck(
                    new IssuerCatalog(List.of(issuer))::publicKey, new BouncyCastleVerifier()),
                event -> {},
                time),
            new IssuerCatalog(List.of(issuer)),
            name -> true,
            signers,
            folder,
            () -> {},
            "node-0"),
        new CrlTerms(TERMS.period(), TERMS.lifetime(), Optional.empty()),
        new CrlMetrics(new SimpleMeterRegistry()),
        new Random(1),
        time);
  }

  private IssuerSigner slowSigner(List<CrlScope> signed) {
    FakeSigner keys = new FakeSigner(Fixtures.ISSUING, key, key);
    return (signable, schedule) -> {
      time.pass(LOOK.plusMillis(1));
      signed.add(((RecordedCrl) signable).planned().scope());
      return keys.sign(signable, schedule);
    };
  }

  /** Each with its first CRL. */
  private void twoScopes() {
    // Before the first CRL: a delta needs one of the same distribution point.
    store.open(SHARD);
    complete(Due.SCHEDULED);
    assertThat(issuance.issue(issuer, SHARD, Due.SCHEDULED, TERMS, "node-1")).isPresent();
    time.pass(WAITED);
  }

  private void revoke(CrlScope scope, RevocationReason reason) {
    Instant notAfter = Fixtures.NOW.plus(Duration.ofDays(90));
    assertThat(
            store.append(
                new RevocationEvent(
                    new SerialNumbers(random).next(notAfter),
                    1,
                    scope,
                    new RequesterId("alice"),
                    notAfter,
                    new RevocationEvent.Change.Revoked(
                        reason, Optional.empty(), Optional.empty()))))
        .isPresent();
  }

  /** The store, of which this node sees other states. */
  private CrlStore changing(UnaryOperator<List<ScopeState>> change) {
    return (CrlStore)
        Proxy.newProxyInstance(
            CrlStore.class.getClassLoader(),
            new Class<?>[] {CrlStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("states")) {
                return change.apply(store.states());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
