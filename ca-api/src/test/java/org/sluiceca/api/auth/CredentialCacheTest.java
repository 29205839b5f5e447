package org.sluiceca.api.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

class CredentialCacheTest {

  private static final CredentialCache.Key REAL = key(0);

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger atOnceMax = new AtomicInteger();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicLong nanos = new AtomicLong();

  /** Uses the test's own clock; a look-up waits for its turn without a limit. */
  private CredentialCache<RegisteredCredential> lookups(
      Function<CredentialCache.Key, Optional<RegisteredCredential>> registry) {
    return new CredentialCache<>(registry, Duration.ofMinutes(10), nanos::get);
  }

  private static CredentialCache.Key key(int number) {
    return new CredentialCache.Key(
        Kind.TOKEN, OctetString.copyOf(ByteBuffer.allocate(32).putInt(number).array()));
  }

  private static Optional<RegisteredCredential> registered(OctetString sha256) {
    return sha256.equals(REAL.sha256())
        ? Optional.of(
            new RegisteredCredential(
                new UUID(0, 0),
                new RequesterId("robot"),
                Kind.TOKEN,
                sha256,
                new Grant(Set.of(Role.REQUESTER), Set.of(), Instant.MAX),
                Instant.EPOCH,
                Optional.empty()))
        : Optional.empty();
  }

  private Optional<RegisteredCredential> answer(OctetString sha256) {
    asked.incrementAndGet();
    atOnceMax.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    try {
      return registered(sha256);
    } finally {
      atOnce.decrementAndGet();
    }
  }

  /** A registry that hangs for everybody but the real one, until the gate opens. */
  private Optional<RegisteredCredential> hanging(OctetString sha256) {
    if (!sha256.equals(REAL.sha256())) {
      try {
        assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return answer(sha256);
  }

  @Test
  void find_again_asksOnceUntilItIsOld() {
    CredentialCache<RegisteredCredential> lookups = lookups(key -> answer(key.sha256()));

    for (int i = 0; i < 100; i++) {
      assertThat(lookups.find(REAL)).isPresent();
      assertThat(lookups.find(key(1))).isEmpty();
    }

    assertThat(asked).hasValue(2);
    nanos.addAndGet(CredentialCache.BELIEVED.toNanos());
    assertThat(lookups.find(REAL)).isPresent();
    assertThat(asked).hasValue(3);
  }

  @Test
  void find_sameByManyAtOnce_asksOnce() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CredentialCache<RegisteredCredential> lookups =
        lookups(
            key -> {
              started.countDown();
              return hanging(key.sha256());
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<RegisteredCredential>>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        all.add(threads.submit(() -> lookups.find(key(1))));
      }
      assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
      gate.countDown();
      for (Future<Optional<RegisteredCredential>> one : all) {
        assertThat(one.get(60, TimeUnit.SECONDS)).isEmpty();
      }
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void find_floodOfUnknown_takesOneConnectionAndTheKnownGoOn() throws Exception {
    CredentialCache<RegisteredCredential> lookups =
        new CredentialCache<>(key -> hanging(key.sha256()));
    assertThat(lookups.find(REAL)).isPresent();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch refused = new CountDownLatch(199);
      for (int i = 1; i <= 200; i++) {
        CredentialCache.Key made = key(i);
        threads.execute(
            () -> {
              try {
                lookups.find(made);
              } catch (CredentialCache.TooMany e) {
                refused.countDown();
              }
            });
      }

      assertThat(lookups.find(REAL)).isPresent();

      // All but the first have waited for their turn in vain.
      assertThat(refused.await(60, TimeUnit.SECONDS)).isTrue();
      gate.countDown();
    }
    assertThat(atOnceMax).hasValue(1);
  }

  /** What waits holds memory: no more than 64 callers do. */
  @Test
  void find_moreUnknownThanMayWait_refusedBeforeAnyWaitIsOver() throws Exception {
    CredentialCache<RegisteredCredential> lookups = lookups(key -> hanging(key.sha256()));
    CountDownLatch refused = new CountDownLatch(36);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i <= 100; i++) {
        CredentialCache.Key made = key(i);
        threads.execute(
            () -> {
              try {
                lookups.find(made);
              } catch (CredentialCache.TooMany e) {
                refused.countDown();
              }
            });
      }
      assertThat(refused.await(60, TimeUnit.SECONDS)).isTrue();
      gate.countDown();
    }
    assertThat(asked).hasValue(64);
  }

  @Test
  void find_manyUnknown_knownStayRemembered() {
    CredentialCache<RegisteredCredential> lookups = lookups(key -> answer(key.sha256()));
    assertThat(lookups.find(REAL)).isPresent();
    int before = asked.get();

    for (int i = 1; i <= 30_000; i++) {
      assertThat(lookups.find(key(i))).isEmpty();
    }
    lookups.find(REAL);

    assertThat(asked.get() - before).isEqualTo(30_000);
  }

  @Test
  void find_registryGone_unavailableAndAskedAgain() {
    CredentialCache<RegisteredCredential> lookups =
        new CredentialCache<>(
            key -> {
              asked.incrementAndGet();
              throw new LedgerUnavailable("gone", new IllegalStateException());
            });

    assertThatThrownBy(() -> lookups.find(REAL)).isInstanceOf(LedgerUnavailable.class);
    assertThatThrownBy(() -> lookups.find(REAL)).isInstanceOf(LedgerUnavailable.class);

    assertThat(asked).hasValue(2);
  }

  @Test
  void believed_isWhatThePromiseSays() {
    // REST.md and SECURITY.md: refused at the latest after 5 s.
    assertThat(CredentialCache.BELIEVED).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }
}
