package org.sluiceca.api.console.session.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/** What the database keeps of sessions, and its bounds. */
class SessionStoreTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final RequesterId ALICE = new RequesterId("alice");
  private static final RequesterId BOB = new RequesterId("bob");

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final SessionStore store =
      new SessionStore(
          database, new SessionStore.Limits(Duration.ofMinutes(15), Duration.ofHours(8), 3, 5));

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private UUID credential(RequesterId requester) {
    return new CredentialStore(database)
        .insert(
            new NewCredential(
                requester,
                Kind.TOKEN,
                Tokens.hash(Tokens.next()),
                new Grant(
                    Set.of(Role.AUDITOR),
                    Set.of(),
                    Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS))))
        .orElseThrow()
        .id();
  }

  private OctetString added(RequesterId requester) {
    OctetString id = Tokens.hash(Tokens.next());
    assertThat(store.add(id, credential(requester), requester)).isTrue();
    return id;
  }

  private void age(OctetString id, String column, String interval) {
    SERVER.execute(
        address,
        String.format(
            Locale.ROOT,
            "UPDATE console_session SET %s = now() - interval '%s' WHERE id_sha256 = '\\x%s'",
            column,
            interval,
            HexFormat.of().formatHex(id.octets())));
  }

  private long rows() {
    return SERVER.number(address, "SELECT count(*) FROM console_session");
  }

  @Test
  void use_session_foundUntilItEnds() {
    OctetString id = added(ALICE);

    assertThat(store.use(id)).isPresent();
    assertThat(store.use(Tokens.hash("another"))).isEmpty();

    store.end(id);
    store.end(id);

    assertThat(store.use(id)).isEmpty();
    assertThat(rows()).isZero();
  }

  @Test
  void use_idleOrOld_notFound() {
    OctetString idle = added(ALICE);
    OctetString old = added(ALICE);
    OctetString both = added(ALICE);
    age(idle, "seen_at", "15 minutes 1 second");
    age(old, "created_at", "8 hours 1 second");
    age(both, "seen_at", "14 minutes 50 seconds");
    age(both, "created_at", "7 hours 59 minutes");

    assertThat(store.use(idle)).isEmpty();
    assertThat(store.use(old)).isEmpty();
    assertThat(store.use(both)).isPresent();
  }

  /** A page that asks every second must not write every second. */
  @Test
  void use_again_writtenOnceAMinute() {
    OctetString id = added(ALICE);
    String version = "SELECT xmin::text::bigint FROM console_session";
    long made = SERVER.number(address, version);

    assertThat(store.use(id)).isPresent();
    assertThat(SERVER.number(address, version)).isEqualTo(made);

    age(id, "seen_at", "61 seconds");
    assertThat(store.peek(id)).isPresent();
    assertThat(
            SERVER.number(
                address,
                "SELECT count(*) FROM console_session WHERE seen_at < now() - interval '1 minute'"))
        .isOne();
    assertThat(store.use(id)).isPresent();
    assertThat(
            SERVER.number(
                address,
                "SELECT count(*) FROM console_session WHERE seen_at < now() - interval '1 minute'"))
        .isZero();
  }

  @Test
  void add_oneMoreThanARequesterMayHave_itsOldestEnds() {
    OctetString first = added(ALICE);
    age(first, "created_at", "3 hours");
    OctetString second = added(ALICE);
    age(second, "created_at", "2 hours");
    OctetString third = added(ALICE);
    OctetString others = added(BOB);

    OctetString fourth = added(ALICE);

    assertThat(store.use(first)).isEmpty();
    assertThat(store.use(second)).isPresent();
    assertThat(store.use(third)).isPresent();
    assertThat(store.use(fourth)).isPresent();
    assertThat(store.use(others)).isPresent();
    assertThat(store.count(ALICE)).isEqualTo(3);
  }

  @Test
  void add_oneMoreThanThereMayBe_refusedUntilOneEnds() {
    OctetString idle = added(new RequesterId("r0"));
    for (int i = 1; i < 5; i++) {
      added(new RequesterId("r" + i));
    }
    UUID credential = credential(BOB);

    assertThat(store.add(Tokens.hash("x"), credential, BOB)).isFalse();
    assertThat(rows()).isEqualTo(5);

    age(idle, "seen_at", "16 minutes");

    assertThat(store.add(Tokens.hash("x"), credential, BOB)).isTrue();
    assertThat(rows()).isEqualTo(5);
  }

  @Test
  void endOthers_endsThoseOfTheRequesterAlone() {
    OctetString mine = added(ALICE);
    OctetString other = added(ALICE);
    OctetString bobs = added(BOB);

    assertThat(store.endOthers(ALICE, mine)).isOne();

    assertThat(store.use(mine)).isPresent();
    assertThat(store.use(other)).isEmpty();
    assertThat(store.use(bobs)).isPresent();
  }
}
