package org.sluiceca.api.ocsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.api.ocsp.store.ResponderStore;
import org.sluiceca.api.ocsp.store.RevocationFeed;
import org.sluiceca.api.platform.change.RestingLoop;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.ocsp.AnswerCache;
import org.sluiceca.core.ocsp.AnswerKey;
import org.sluiceca.core.ocsp.Reply;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;

/** What the watch makes the cache forget, on a real database. */
class RevocationWatchTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final int WEEK = 3_000;

  private final AnswerCache<CountDownLatch> cache =
      new AnswerCache<>(
          new AnswerCache.Limits(10_000, 100_000_000, 4, 8), () -> new CountDownLatch(1));
  private LedgerDatabase.Address address = PostgresForTests.get().freshDatabase();
  private LedgerDatabase database = new LedgerDatabase(address);
  private RevocationWatch watch = watch();

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    execute("SELECT ensure_expiry_weeks(ARRAY[" + WEEK + "])");
  }

  @AfterEach
  void close() {
    watch.close();
    database.close();
  }

  @Test
  void look_newEvents_theirAnswersForgottenAndNoOthers() {
    keep(1);
    keep(2);
    revoke(1, 0, 1);

    watch.look();

    assertThat(isKept(1)).isFalse();
    assertThat(isKept(2)).isTrue();
  }

  @Test
  void look_severalScopesAndBatches_nothingMissed() {
    for (int i = 1; i <= 2_500; i++) {
      keep(i);
    }
    execute(
        """
        INSERT INTO crl_scope (issuer, shard, revision) VALUES ('issuing', 7, 2400);
        INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester,
          reason, revoked_at, not_after)
        SELECT %d, decode(lpad(to_hex(i), 38, '0'), 'hex'), 1, 'issuing', 7, i, 'x', 1, now(), now()
        FROM generate_series(1, 2400) AS i
        """
            .formatted(WEEK));
    revoke(2_500, 0, 1);

    watch.look();

    assertThat(cache.entries()).isEqualTo(99);
    keep(5);
    watch.look();
    assertThat(isKept(5)).as("an event is not reported twice").isTrue();
  }

  /** A hold that is released is an event like any other. */
  @Test
  void look_secondEventOfACertificate_forgottenAgain() {
    revoke(1, 0, 1);
    watch.look();
    keep(1);
    execute(
        """
        UPDATE crl_scope SET revision = 2 WHERE shard = 0;
        INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester,
          not_after) VALUES (%d, decode('%s', 'hex'), 2, 'issuing', 0, 2, 'x', now())
        """
            .formatted(WEEK, hex(1)));

    watch.look();

    assertThat(isKept(1)).isFalse();
  }

  /** A failover to a replica that had not heard of all: its next event has a number seen before. */
  @Test
  void look_revisionLowerThanSeen_allForgottenAndWatchedFromThere() {
    revoke(1, 0, 5);
    watch.look();
    keep(1);
    keep(2);
    execute("UPDATE crl_scope SET revision = 3");

    watch.look();

    assertThat(cache.entries()).isZero();
    keep(2);
    revoke(2, 0, 4);
    watch.look();
    assertThat(isKept(2)).as("an event after the lower revision").isFalse();
  }

  @Test
  void look_scopeGone_allForgotten() {
    revoke(1, 0, 1);
    watch.look();
    keep(2);
    execute("UPDATE crl_scope SET shard = 3");

    watch.look();

    assertThat(isKept(2)).isFalse();
  }

  @Test
  void step_nothingIsRevoked_restsUntilThatChanges() {
    RestingLoop.check(
        Set.of(Topic.REVOCATIONS), watch::restUntilChanged, watch::step, Duration.ofSeconds(1));
  }

  @Test
  void insert_renewed_newestFirst() {
    new IssuerStore(database)
        .insert(
            new IssuerStore.NewIssuer(
                Fixtures.ISSUING,
                OctetString.copyOf(new byte[] {1}),
                CertificateDer.of(new byte[] {1}),
                List.of(),
                key()));
    ResponderStore store = new ResponderStore(database);
    store.insert(responder(1));
    store.insert(responder(2));

    assertThat(store.list()).containsExactly(responder(2), responder(1));
  }

  private static RegisteredResponder responder(int number) {
    return new RegisteredResponder(
        Fixtures.ISSUING,
        CertificateDer.of(new byte[] {(byte) number}),
        OctetString.copyOf(new byte[] {3}),
        key());
  }

  private static RegisteredIssuer.Key key() {
    return new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "token");
  }

  private RevocationWatch watch() {
    return new RevocationWatch(
        new RevocationFeed(database),
        cache,
        new Responders(List::of, Map.of(), new ManualTime(NOW)));
  }

  private void revoke(int serial, int shard, long revision) {
    execute(
        """
        INSERT INTO crl_scope (issuer, shard, revision) VALUES ('issuing', %d, %d)
          ON CONFLICT (issuer, shard) DO UPDATE SET revision = %2$d;
        INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester,
          reason, revoked_at, not_after)
        VALUES (%d, decode('%s', 'hex'), 1, 'issuing', %1$d, %2$d, 'x', 1, now(), now())
        """
            .formatted(shard, revision, WEEK, hex(serial)));
  }

  private void execute(String sql) {
    PostgresForTests.get().execute(address, sql);
  }

  private static String hex(int serial) {
    return "%038x".formatted(serial);
  }

  private static AnswerKey answerKey(int serial) {
    return new AnswerKey(
        Fixtures.ISSUING,
        OctetString.copyOf(HexFormat.of().parseHex(hex(serial))),
        CertId.SHA_256,
        true);
  }

  private void keep(int serial) {
    if (cache.look(answerKey(serial), NOW)
        instanceof AnswerCache.Look.Lead<CountDownLatch>(var flight, var old)) {
      cache.land(
          flight,
          new Reply.Signed(
              OctetString.copyOf(new byte[] {1}),
              Reply.Kind.GOOD,
              NOW,
              NOW.plus(Duration.ofHours(1)),
              NOW.plus(Duration.ofMinutes(54)),
              true,
              false));
    }
  }

  private boolean isKept(int serial) {
    AnswerCache.Look<CountDownLatch> look = cache.look(answerKey(serial), NOW);
    if (look instanceof AnswerCache.Look.Lead<CountDownLatch>(var flight, var old)) {
      cache.land(flight, new Reply.Refused(org.sluiceca.core.der.OcspResponseStatus.TRY_LATER));
      return false;
    }
    return true;
  }
}
