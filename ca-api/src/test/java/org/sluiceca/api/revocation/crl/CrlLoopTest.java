package org.sluiceca.api.revocation.crl;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.DeltaTerms;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;

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
            new Random(1));
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
}
