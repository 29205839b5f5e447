package org.sluiceca.api.acme.nonce;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.acme.nonce.store.NonceStore;
import org.sluiceca.api.platform.secret.SecretKeys;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.wire.jws.Base64Url;

/** Nonces of two nodes on a real PostgreSQL, with the rights of a node. */
class NoncesTest {

  private final SecretKeys keys = SecretKeys.ofOneRun();
  private final Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private final Nonces one = new Nonces(new NonceStore(database), keys, () -> now);
  private final Nonces other = new Nonces(new NonceStore(database), keys, () -> now);

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static boolean take(Nonces node, String nonce) {
    return node.genuine(nonce).filter(node::spend).isPresent();
  }

  @Test
  void spend_atAnyNode_once() {
    String nonce = one.next();

    assertThat(take(other, nonce)).isTrue();
    assertThat(take(other, nonce)).isFalse();
    assertThat(take(one, nonce)).isFalse();
    assertThat(take(one, other.next())).isTrue();
    assertThat(List.of(one.spent(), one.repeated(), other.spent(), other.repeated()))
        .containsExactly(1L, 1L, 1L, 1L);
  }

  @Test
  void spend_byManyAtOnce_onlyOne() {
    String nonce = one.next();
    AtomicInteger taken = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        Nonces node = i % 2 == 0 ? one : other;
        threads.execute(() -> taken.addAndGet(take(node, nonce) ? 1 : 0));
      }
    }

    assertThat(taken).hasValue(1);
  }

  @Test
  void genuine_tooOldOrFromTheFuture_none() {
    String nonce = one.next();
    Instant made = now;

    now = made.plus(Nonces.LIFE);
    assertThat(one.genuine(nonce)).isPresent();
    now = made.plus(Nonces.LIFE).plusSeconds(1);
    assertThat(one.genuine(nonce)).isEmpty();
    now = made.minus(Duration.ofMinutes(3));
    assertThat(one.genuine(nonce)).isEmpty();
  }

  @Test
  void genuine_everyChangedOctetOrAnotherCasKey_none() {
    String nonce = one.next();
    byte[] octets = Base64Url.decode(nonce).orElseThrow();

    for (int at = 0; at < octets.length; at++) {
      byte[] changed = octets.clone();
      changed[at] ^= 1;
      assertThat(one.genuine(Base64Url.encode(changed))).as("octet %d", at).isEmpty();
    }
    assertThat(one.genuine(nonce + "=")).isEmpty();
    assertThat(one.refused()).isEqualTo(octets.length + 1);
    assertThat(one.genuine("")).isEmpty();
    Nonces stranger = new Nonces(new NonceStore(database), SecretKeys.ofOneRun(), () -> now);
    assertThat(stranger.genuine(nonce)).isEmpty();
  }

  /** What a crash of the database does to its unlogged tables. */
  @Test
  void spend_afterTheTablesWereEmptied_nothingFromBefore() {
    String spent = one.next();
    String unspent = one.next();
    assertThat(take(one, spent)).isTrue();

    PostgresForTests.get().execute(address, "TRUNCATE acme_nonce", "TRUNCATE acme_nonce_epoch");

    assertThat(take(one, spent)).isFalse();
    assertThat(take(other, unspent)).isFalse();
    assertThat(take(other, one.next())).isTrue();
  }

  /** A balancer may send nonces of one node to the other one alone. */
  @Test
  void next_afterItTookANonceOfAnotherEpoch_isOfThatEpoch() {
    assertThat(take(one, other.next())).isTrue();
    String before = one.next();
    PostgresForTests.get().execute(address, "TRUNCATE acme_nonce", "TRUNCATE acme_nonce_epoch");
    assertThat(take(one, before)).isFalse();

    assertThat(take(other, one.next())).isTrue();

    assertThat(take(one, other.next())).isTrue();
  }

  @Test
  void remove_oldOnesAlone() {
    String nonce = one.next();
    assertThat(take(one, nonce)).isTrue();
    now = now.plus(Duration.ofHours(2));
    String young = one.next();
    assertThat(take(one, young)).isTrue();

    assertThat(one.remove()).isFalse();

    assertThat(PostgresForTests.get().number(address, "SELECT count(*) FROM acme_nonce"))
        .isEqualTo(1);
    assertThat(take(one, young)).isFalse();
  }

  @Test
  void next_manyTimes_neverTheSame() {
    Set<String> made = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 1_000; i++) {
      made.add(i % 2 == 0 ? one.next() : other.next());
    }

    assertThat(made).hasSize(1_000);
  }
}
