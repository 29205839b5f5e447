package org.sluiceca.api.auth.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.sluiceca.api.auth.store.CredentialStore.Position;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;

/** Last uses on a real PostgreSQL, with the rights of a node. */
class CredentialUseStoreTest {

  /** Long ago: an hour that the database's clock has not reached is not written. */
  private static final Instant NOON = Instant.parse("2025-11-27T12:00:00Z");

  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final CredentialStore credentials = new CredentialStore(database);
  private final CredentialUseStore uses = new CredentialUseStore(database);

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private UUID credential(String requester) {
    return credentials
        .insert(
            new NewCredential(
                new RequesterId(requester),
                Kind.TOKEN,
                Tokens.hash(Tokens.next()),
                new Grant(
                    Set.of(Role.REQUESTER),
                    Set.of(),
                    Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS))))
        .orElseThrow()
        .id();
  }

  private Optional<Instant> lastUse(UUID id) {
    return credentials.page(Position.START, 1_000).stream()
        .filter(c -> c.credential().id().equals(id))
        .findFirst()
        .orElseThrow()
        .lastUsedAt();
  }

  @Test
  void record_sameHourAgain_noRowIsWritten() {
    UUID id = credential("web");
    assertThat(lastUse(id)).isEmpty();

    assertThat(uses.record(Map.of(id, NOON))).isOne();
    // As the other nodes do.
    assertThat(uses.record(Map.of(id, NOON))).isZero();
    assertThat(uses.record(Map.of(id, NOON.minusSeconds(3600)))).isZero();
    assertThat(lastUse(id)).contains(NOON);

    assertThat(uses.record(Map.of(id, NOON.plusSeconds(3600)))).isOne();
    assertThat(lastUse(id)).contains(NOON.plusSeconds(3600));
  }

  /** Of a node whose clock is ahead: later uses must not be hidden by it. */
  @Test
  void record_hourToCome_theHourOfTheDatabase() {
    UUID id = credential("web");

    uses.record(Map.of(id, Instant.now().plus(Duration.ofDays(9))));

    assertThat(lastUse(id).orElseThrow()).isBefore(Instant.now().plus(Duration.ofDays(1)));
  }

  /** A database that was restored may lack what a node still remembers. */
  @Test
  void record_unknownCredential_othersAreWritten() {
    UUID id = credential("web");

    assertThat(uses.record(Map.of(id, NOON, new UUID(0, 7), NOON))).isOne();
    assertThat(lastUse(id)).contains(NOON);
  }

  /** Planted: without an order, two nodes wait for each other's rows. */
  @Test
  void record_byManyNodesAtOnce_noneFailsAndTheLastHourStands() throws Exception {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.add(credential("r" + i));
    }
    List<Future<Integer>> written = new ArrayList<>();
    try (ExecutorService nodes = Executors.newFixedThreadPool(4)) {
      for (int hour = 0; hour < 20; hour++) {
        Instant at = NOON.plus(Duration.ofHours(hour));
        for (int node = 0; node < 4; node++) {
          Map<UUID, Instant> batch = new HashMap<>();
          ids.forEach(id -> batch.put(id, at));
          written.add(nodes.submit(() -> uses.record(batch)));
        }
      }
    }

    for (Future<Integer> one : written) {
      assertThat(one.get()).isBetween(0, 50);
    }
    assertThat(ids).allSatisfy(id -> assertThat(lastUse(id)).contains(NOON.plusSeconds(19 * 3600)));
  }
}
