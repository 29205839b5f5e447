package org.sluiceca.api.auth.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.auth.store.RotationStore.Rotation;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/** Rotations on a real PostgreSQL, with the rights of a node. */
class RotationStoreTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final RequesterId WEB = new RequesterId("web");

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final CredentialStore credentials = new CredentialStore(database);
  private final RotationStore rotations = new RotationStore(database);
  private final Grant grant =
      new Grant(
          Set.of(Role.REQUESTER, Role.AUDITOR),
          Set.of(new ProfileName("tls-server")),
          Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS));
  private final OctetString first = hash();

  @BeforeEach
  void registerTheFirst() {
    PostgresForTests.awaitLogin(database);
    register(Kind.TOKEN, first, grant);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private UUID register(Kind kind, OctetString sha256, Grant granted) {
    return credentials.insert(new NewCredential(WEB, kind, sha256, granted)).orElseThrow().id();
  }

  private static OctetString hash() {
    return Tokens.hash(Tokens.next());
  }

  private RegisteredCredential read(OctetString sha256) {
    return credentials.find(Kind.TOKEN, sha256).orElseThrow();
  }

  private boolean isValid(OctetString sha256) {
    return read(sha256).isValidAt(Instant.now());
  }

  /** Rotates and returns the hash of the successor. */
  private OctetString rotated(OctetString old) {
    OctetString fresh = hash();
    assertThat(rotations.rotate(WEB, old, fresh)).isInstanceOf(Rotation.Rotated.class);
    return fresh;
  }

  private void use(OctetString successor) {
    rotations.endPredecessor(WEB, read(successor).id());
  }

  @Test
  void rotate_sameGrantAndEnd_bothCountUntilTheNewOneIsUsed() {
    OctetString second = rotated(first);

    assertThat(read(second).grant()).isEqualTo(grant);
    assertThat(read(second).requester()).isEqualTo(WEB);
    assertThat(read(second).replaces()).contains(read(first).id());
    assertThat(read(second).rotatedFrom()).contains(read(first).id());
    assertThat(isValid(first)).isTrue();
    assertThat(isValid(second)).isTrue();

    use(second);

    assertThat(isValid(first)).isFalse();
    assertThat(isValid(second)).isTrue();
    assertThat(read(second).replaces()).isEmpty();
  }

  /** The answer was lost: the token that was in it ends, the old one never locks its holder out. */
  @Test
  void rotate_again_theUnusedSuccessorEnds() {
    OctetString lost = rotated(first);
    OctetString second = rotated(first);

    assertThat(isValid(lost)).isFalse();
    assertThat(isValid(first)).isTrue();
    assertThat(isValid(second)).isTrue();

    // The lost one turns up after all: it ends nothing.
    use(lost);
    assertThat(isValid(first)).isTrue();
  }

  @Test
  void rotate_tokenThatHasEnded_nothing() {
    OctetString second = rotated(first);
    use(second);
    assertThat(rotations.rotate(WEB, first, hash())).isInstanceOf(Rotation.Ended.class);

    credentials.revoke(read(second).id());
    assertThat(rotations.rotate(WEB, second, hash())).isInstanceOf(Rotation.Ended.class);
    assertThat(rotations.rotate(WEB, hash(), hash())).isInstanceOf(Rotation.Ended.class);

    OctetString expired = hash();
    register(
        Kind.TOKEN,
        expired,
        new Grant(grant.roles(), grant.profiles(), Instant.now().minusSeconds(1)));
    assertThat(rotations.rotate(WEB, expired, hash())).isInstanceOf(Rotation.Ended.class);
    assertThat(SERVER.number(address, "SELECT count(*) FROM credential")).isEqualTo(3);
  }

  @Test
  void rotate_anotherRequestersTokenOrACertificate_nothing() {
    assertThat(rotations.rotate(new RequesterId("other"), first, hash()))
        .isInstanceOf(Rotation.Ended.class);

    OctetString key = hash();
    register(Kind.CERTIFICATE, key, grant);
    assertThat(rotations.rotate(WEB, key, hash())).isInstanceOf(Rotation.Ended.class);
  }

  /** Whether each is used or not: the tokens of one registration share the limit. */
  @Test
  void rotate_moreOftenThanAllowed_waitsUntilTheOldestIsAnHourOld() {
    OctetString token = first;
    for (int i = 0; i < RotationStore.AN_HOUR_MAX; i++) {
      assertThat(rotations.mustWait(read(token).id())).isEmpty();
      OctetString fresh = rotated(token);
      if (i % 2 == 0) {
        use(fresh);
        token = fresh;
      }
    }
    OctetString last = token;

    assertThat(rotations.rotate(WEB, last, hash()))
        .isInstanceOfSatisfying(
            Rotation.TooMany.class,
            many ->
                assertThat(many.retryAfter())
                    .isBetween(Duration.ofMinutes(30), Duration.ofHours(1)));
    assertThat(rotations.mustWait(read(last).id())).isPresent();
    assertThat(isValid(last)).isTrue();

    SERVER.execute(
        address, "UPDATE credential SET created_at = created_at - interval '61 minutes'");
    assertThat(rotations.mustWait(read(last).id())).isEmpty();
    rotated(last);
  }

  /** An administrator that learns of a stolen token ends what the thief has made of it. */
  @Test
  void revoke_anyOfARegistration_endsAllOfThemAndNoOther() {
    OctetString other = hash();
    register(Kind.TOKEN, other, grant);
    OctetString second = rotated(first);
    use(second);
    OctetString third = rotated(second);

    assertThat(credentials.revoke(read(first).id())).isTrue();

    assertThat(List.of(first, second, third)).noneMatch(this::isValid);
    assertThat(isValid(other)).isTrue();
    assertThat(credentials.revoke(read(first).id())).isTrue();
    assertThat(credentials.revoke(new UUID(0, 7))).isFalse();
  }

  /** Nodes that rotate, use and revoke at once: one successor at most, and none that slipped by. */
  @Test
  void rotate_onManyNodesAtOnce_oneSuccessorCounts() throws Exception {
    List<Future<Rotation>> all = new ArrayList<>();
    List<OctetString> made = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < RotationStore.AN_HOUR_MAX; i++) {
        OctetString fresh = hash();
        made.add(fresh);
        all.add(nodes.submit(() -> rotations.rotate(WEB, first, fresh)));
      }
    }
    for (Future<Rotation> one : all) {
      assertThat(one.get()).isInstanceOf(Rotation.Rotated.class);
    }

    assertThat(made).filteredOn(this::isValid).hasSize(1);
    assertThat(isValid(first)).isTrue();
  }

  @Test
  void rotate_whileItIsRevoked_nothingOfTheRegistrationCounts() throws Exception {
    for (int round = 0; round < 10; round++) {
      OctetString token = hash();
      UUID id = register(Kind.TOKEN, token, grant);
      try (ExecutorService nodes = Executors.newFixedThreadPool(3)) {
        for (int i = 0; i < 3; i++) {
          Future<?> ignored = nodes.submit(() -> rotations.rotate(WEB, token, hash()));
        }
        Future<?> ignored = nodes.submit(() -> credentials.revoke(id));
      }

      assertThat(
              SERVER.number(
                  address,
                  "SELECT count(*) FROM credential WHERE revoked_at IS NULL AND (id = '"
                      + id
                      + "' OR rotation_root = '"
                      + id
                      + "')"))
          .isZero();
    }
  }
}
