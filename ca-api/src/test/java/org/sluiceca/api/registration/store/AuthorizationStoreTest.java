package org.sluiceca.api.registration.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.registration.store.ProofQueue.Due;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.Authorization.Fault;
import org.sluiceca.core.registration.Authorization.Status;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;

/** Proofs on a real PostgreSQL, with the rights of a node. */
class AuthorizationStoreTest {

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Set<String> SERVED = Set.of("internal", "other");
  private static final Fault FAULT = new Fault("connection", "no answer");
  private static final CsrDer CSR =
      CsrFixture.host("a.example.com", "a.example.com").signedBy(SoftwareKey.named("ec-p256"));

  private final SplittableRandom random = new SplittableRandom(1);
  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final PostgresRequestStore requests =
      new PostgresRequestStore(database, new RequestCounts(registry));
  private final AuthorizationStore store = new AuthorizationStore(database);
  private final ProofQueue queue = new ProofQueue(database);

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private RegistrationId id() {
    byte[] octets = new byte[RegistrationId.OCTETS];
    random.nextBytes(octets);
    return new RegistrationId(OctetString.copyOf(octets));
  }

  private final EndpointName internal = new EndpointName("internal");

  /** A request of three names, of which the second and the third need a proof. */
  private CertificateRequest added(RegistrationId actor) {
    return added(actor, internal);
  }

  private CertificateRequest added(RegistrationId actor, EndpointName endpoint) {
    CertificateRequest request = request(actor, endpoint);
    assertThat(requests.add(request)).isTrue();
    return request;
  }

  private CertificateRequest request(RegistrationId actor, EndpointName endpoint) {
    return new CertificateRequest(
        id(),
        endpoint,
        new RequesterId("web"),
        actor,
        new ProfileName("tls-server"),
        List.of(
            new Identifier.Dns("a.example.com"),
            new Identifier.Dns("b.example.com"),
            new Identifier.Dns("c.example.com")),
        NOW,
        NOW.plus(Duration.ofHours(1)),
        Optional.empty(),
        new RequestState.Awaiting(
            List.of(Authorization.pending(1, id().text()), Authorization.pending(2, id().text()))));
  }

  private RequestState state(CertificateRequest request) {
    return requests.find(request.id()).orElseThrow().state();
  }

  private boolean begin(CertificateRequest request, int number) {
    return store.begin(request, number, "http-01", "thumbprint", NOW);
  }

  private List<Due> claim(int max, Instant now) {
    return claim(max, 100, Map.of(), Map.of(), now);
  }

  private List<Due> claim(
      int max,
      int ofActorMax,
      Map<RegistrationId, Integer> actors,
      Map<String, Integer> endpoints,
      Instant now) {
    return queue.claim(
        max,
        SERVED,
        new Shares(
            new Shares.Of<>(actors, ofActorMax),
            new Shares.Of<>(Map.of(), 3),
            new Shares.Of<>(endpoints, 8)),
        now,
        LEASE);
  }

  private boolean finalizes(CertificateRequest request) {
    return requests.finalizeBy(request.id(), CSR, NOW);
  }

  @Test
  void request_isReadyWhenTheLastProofIsValid_andIsNotFinalizedBefore() {
    CertificateRequest request = added(id());
    assertThat(state(request)).isEqualTo(request.state());
    assertThat(finalizes(request)).isFalse();
    assertThat(begin(request, 1)).isTrue();
    assertThat(begin(request, 2)).isTrue();
    assertThat(begin(request, 0)).isFalse();
    List<Due> due = claim(10, NOW);
    assertThat(due).extracting(Due::number).containsExactlyInAnyOrder(1, 2);

    queue.valid(due.getFirst(), NOW);
    assertThat(finalizes(request)).isFalse();
    assertThat(state(request)).isInstanceOf(RequestState.Awaiting.class);
    queue.valid(due.getLast(), NOW);

    assertThat(state(request)).isEqualTo(new RequestState.Ready());
    assertThat(store.of(request.id()))
        .filteredOn(proof -> proof.status() == Authorization.Status.VALID)
        .extracting(Authorization::validatedAt)
        .containsOnly(Optional.of(NOW));
    assertThat(finalizes(request)).isTrue();
    assertThat(state(request)).isEqualTo(new RequestState.Finalized(CSR));
  }

  @Test
  void begin_twice_theFirstMethodStays() {
    CertificateRequest request = added(id());
    assertThat(begin(request, 1)).isTrue();
    assertThat(store.begin(request, 1, "dns-01", "other", NOW)).isFalse();

    Due due = claim(10, NOW).getFirst();

    assertThat(due.method()).isEqualTo("http-01");
    assertThat(due.thumbprint()).isEqualTo("thumbprint");
    assertThat(due.attempt()).isEqualTo(1);
    assertThat(due.request().identifiers()).isEqualTo(request.identifiers());
  }

  @Test
  void failed_againAndForGood() {
    CertificateRequest request = added(id());
    assertThat(begin(request, 1)).isTrue();
    Due first = claim(10, NOW).getFirst();

    queue.failed(first, FAULT, Optional.of(NOW.plusSeconds(5)), NOW);
    assertThat(claim(10, NOW.plusSeconds(4))).isEmpty();
    Due second = claim(10, NOW.plusSeconds(5)).getFirst();
    assertThat(second.attempt()).isEqualTo(2);
    queue.failed(second, FAULT, Optional.empty(), NOW.minusSeconds(7_000));
    assertThat(requests.find(request.id()).orElseThrow().expiresAt())
        .isEqualTo(NOW.minusSeconds(3_400));

    assertThat(claim(10, NOW.plus(Duration.ofDays(1)))).isEmpty();
    queue.valid(second, NOW);
    Authorization proof = store.of(request.id()).getFirst();
    assertThat(proof.status()).isEqualTo(Status.INVALID);
    assertThat(proof.fault()).contains(FAULT);
    assertThat(
            state(request) instanceof RequestState.Awaiting awaiting
                ? awaiting.over().map(Authorization::number)
                : Optional.empty())
        .contains(1);
  }

  @Test
  void claim_nodeHasDied_anotherOneAfterTheLease() {
    CertificateRequest request = added(id());
    assertThat(begin(request, 1)).isTrue();
    assertThat(claim(10, NOW)).hasSize(1);

    assertThat(claim(10, NOW.plus(LEASE).minusSeconds(1))).isEmpty();
    assertThat(claim(10, NOW.plus(LEASE))).hasSize(1);
  }

  @Test
  void claim_byManyAtOnce_eachOnce() {
    for (int i = 0; i < 20; i++) {
      assertThat(begin(added(id()), 1)).isTrue();
    }
    Queue<Due> claimed = new ConcurrentLinkedQueue<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        threads.execute(() -> claimed.addAll(claim(20, NOW)));
      }
    }

    assertThat(new ArrayList<>(claimed))
        .extracting(due -> due.request().id())
        .doesNotHaveDuplicates();
  }

  /** Another node may serve it: this one uses up none of its attempts. */
  @Test
  void claim_endpointThatIsNotServed_staysDue() {
    CertificateRequest elsewhere = added(id(), new EndpointName("elsewhere"));
    assertThat(begin(elsewhere, 1)).isTrue();
    CertificateRequest here = added(id());
    assertThat(begin(here, 1)).isTrue();

    assertThat(claim(10, NOW)).extracting(due -> due.request().id()).containsExactly(here.id());
    Shares free =
        new Shares(
            new Shares.Of<>(Map.of(), 4),
            new Shares.Of<>(Map.of(), 3),
            new Shares.Of<>(Map.of(), 8));
    assertThat(queue.claim(10, Set.of(), free, NOW, LEASE)).isEmpty();
    assertThat(queue.claim(10, Set.of("elsewhere"), free, NOW, LEASE))
        .extracting(Due::attempt)
        .containsExactly(1);
  }

  /** One account with many names that do not answer takes no other's turn. */
  @Test
  void claim_oneAccountWithMany_othersFirstsComeFirst() {
    RegistrationId greedy = id();
    for (int i = 0; i < 10; i++) {
      CertificateRequest request = added(greedy);
      assertThat(begin(request, 1)).isTrue();
    }
    CertificateRequest other = added(id());
    assertThat(store.begin(other, 1, "http-01", "thumbprint", NOW.plusSeconds(1))).isTrue();

    Instant later = NOW.plusSeconds(2);
    assertThat(claim(2, 4, Map.of(), Map.of(), later))
        .extracting(due -> due.request().actor())
        .containsExactlyInAnyOrder(greedy, other.actor());
    assertThat(claim(20, 4, Map.of(greedy, 1), Map.of(), later)).hasSize(3);
    assertThat(claim(20, 4, Map.of(greedy, 4), Map.of(), later)).isEmpty();
  }

  /** With one slot free, what is looked for already counts as the account's earlier proofs. */
  @Test
  void claim_accountWithRunningOnes_newcomerComesFirst() {
    RegistrationId greedy = id();
    assertThat(begin(added(greedy), 1)).isTrue();
    CertificateRequest newcomer = begunLater(request(id(), internal), Optional.empty());

    assertThat(claim(1, 4, Map.of(greedy, 3), Map.of(), NOW.plusSeconds(2)))
        .extracting(due -> due.request().id())
        .containsExactly(newcomer.id());
  }

  @Test
  void claim_accountOfANetworkWithRunningOnes_newcomerOfTheNetworkComesFirst() {
    String network = "192.0.2.0/24";
    CertificateRequest greedy = addedFrom(network);
    assertThat(begin(greedy, 1)).isTrue();
    CertificateRequest newcomer = begunLater(request(id(), internal), Optional.of(network));

    assertThat(claim(1, Map.of(greedy.actor(), 1), Map.of(network, 1), Map.of("internal", 1)))
        .containsExactly(newcomer.id());
  }

  @Test
  void claim_networkWithRunningOnes_newcomerComesFirst() {
    assertThat(begin(addedFrom("192.0.2.0/24"), 1)).isTrue();
    CertificateRequest newcomer =
        begunLater(request(id(), internal), Optional.of("198.51.100.0/24"));

    assertThat(claim(1, Map.of(), Map.of("192.0.2.0/24", 1), Map.of("internal", 1)))
        .containsExactly(newcomer.id());
  }

  @Test
  void claim_endpointWithRunningOnes_newcomerComesFirst() {
    assertThat(begin(added(id()), 1)).isTrue();
    CertificateRequest newcomer =
        begunLater(request(id(), new EndpointName("other")), Optional.empty());

    assertThat(claim(1, Map.of(), Map.of(), Map.of("internal", 5))).containsExactly(newcomer.id());
  }

  private CertificateRequest begunLater(CertificateRequest request, Optional<String> network) {
    assertThat(requests.add(request, network)).isTrue();
    assertThat(store.begin(request, 1, "http-01", "thumbprint", NOW.plusSeconds(1))).isTrue();
    return request;
  }

  private List<RegistrationId> claim(
      int max,
      Map<RegistrationId, Integer> actors,
      Map<String, Integer> networks,
      Map<String, Integer> endpoints) {
    return queue
        .claim(
            max,
            SERVED,
            new Shares(
                new Shares.Of<>(actors, 4),
                new Shares.Of<>(networks, 3),
                new Shares.Of<>(endpoints, 8)),
            NOW.plusSeconds(2),
            LEASE)
        .stream()
        .map(due -> due.request().id())
        .toList();
  }

  /**
   * Accounts are free where no binding is asked for: many of them take no other endpoint's turn.
   */
  @Test
  void claim_oneEndpointWithManyAccounts_othersAreInTurn() {
    for (int i = 0; i < 10; i++) {
      assertThat(begin(added(id()), 1)).isTrue();
    }
    CertificateRequest other = added(id(), new EndpointName("other"));
    assertThat(store.begin(other, 1, "http-01", "thumbprint", NOW.plusSeconds(1))).isTrue();

    Instant later = NOW.plusSeconds(2);
    assertThat(claim(2, 4, Map.of(), Map.of(), later))
        .extracting(due -> due.request().endpoint().value())
        .containsExactlyInAnyOrder("internal", "other");
    assertThat(claim(20, 4, Map.of(), Map.of("internal", 8), later)).isEmpty();
    // One claim fills no more than the endpoint's share, however many are due and slots are free.
    assertThat(claim(20, 4, Map.of(), Map.of("internal", 5), later)).hasSize(3);
  }

  /** Accounts from one network count together, and take no turn of another network's. */
  @Test
  void claim_oneNetworkWithManyAccounts_othersAreInTurn() {
    for (int i = 0; i < 10; i++) {
      assertThat(begin(addedFrom("192.0.2.0/24"), 1)).isTrue();
    }
    CertificateRequest other = addedFrom("198.51.100.0/24");
    assertThat(store.begin(other, 1, "http-01", "thumbprint", NOW.plusSeconds(1))).isTrue();

    Instant later = NOW.plusSeconds(2);
    assertThat(claim(2, 4, Map.of(), Map.of(), later))
        .extracting(due -> due.network().orElseThrow())
        .containsExactlyInAnyOrder("192.0.2.0/24", "198.51.100.0/24");
    assertThat(claim(20, 4, Map.of(), Map.of(), later)).hasSize(3);
  }

  private CertificateRequest addedFrom(String network) {
    CertificateRequest request = request(id(), internal);
    assertThat(requests.add(request, Optional.of(network))).isTrue();
    return request;
  }

  @Test
  void deactivate_validOne_requestIsOver() {
    CertificateRequest request = added(id());
    assertThat(begin(request, 1)).isTrue();
    queue.valid(claim(1, NOW).getFirst(), NOW);

    store.deactivate(request.id(), 1);

    Authorization over = store.of(request.id()).getFirst();
    assertThat(over.status()).isEqualTo(Status.DEACTIVATED);
    assertThat(over.validatedAt()).contains(NOW);
    assertThat(finalizes(request)).isFalse();
  }

  @Test
  void deactivate_oneThatIsLookedFor_wasNeverFound() {
    CertificateRequest request = added(id());
    assertThat(begin(request, 1)).isTrue();
    ProofQueue.Due due = claim(1, NOW).getFirst();

    store.deactivate(request.id(), 1);
    queue.valid(due, NOW);

    Authorization over = store.of(request.id()).getFirst();
    assertThat(over.status()).isEqualTo(Status.DEACTIVATED);
    assertThat(over.validatedAt()).isEmpty();
  }

  @Test
  void hasProven_validNamesOfTheAccountAlone_untilTheOrderExpires() {
    CertificateRequest request = added(id());
    List<Identifier> both =
        List.of(new Identifier.Dns("b.example.com"), new Identifier.Dns("c.example.com"));
    assertThat(begin(request, 1)).isTrue();
    queue.valid(claim(1, NOW).getFirst(), NOW);

    assertThat(store.hasProven(request.actor(), both.subList(0, 1), NOW)).isTrue();
    assertThat(store.hasProven(request.actor(), both, NOW)).isFalse();
    assertThat(store.hasProven(id(), both.subList(0, 1), NOW)).isFalse();
    assertThat(store.hasProven(request.actor(), both.subList(0, 1), request.expiresAt())).isFalse();
  }
}
