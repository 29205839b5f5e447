package org.sluiceca.api.registration.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.registration.store.PostgresRequestStore.Place;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;

/** Requests on a real PostgreSQL, with the rights of a node. */
class PostgresRequestStoreTest {

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final CsrDer CSR = CsrDer.of(new byte[] {0x30, 0});
  private static final CsrDer OTHER = CsrDer.of(new byte[] {0x30, 1, 0});
  private static final SerialNumber SERIAL = StoredRequests.REPLACED;
  private static final Refusal REFUSAL = new Refusal(Refusal.Kind.BAD_CSR, "its key is weak");

  private final StoredRequests requests = new StoredRequests();
  private final Address address = requests.address();
  private final PostgresRequestStore store = requests.store();

  @AfterEach
  void close() {
    requests.close();
  }

  private RequestState state(CertificateRequest request) {
    return store.find(request.id()).orElseThrow().state();
  }

  @Test
  void find_added_theSame() {
    CertificateRequest request = requests.added(requests.id(), NOW);

    assertThat(store.find(request.id())).contains(request);
    assertThat(store.find(requests.id())).isEmpty();
  }

  @Test
  void finalizeBy_twiceOrLate_changesNothing() {
    CertificateRequest request = requests.added(requests.id(), NOW);
    CertificateRequest late = requests.added(requests.id(), NOW);

    assertThat(store.finalizeBy(request.id(), CSR, NOW)).isTrue();
    assertThat(store.finalizeBy(request.id(), OTHER, NOW)).isFalse();
    assertThat(state(request)).isEqualTo(new RequestState.Finalized(CSR));
    assertThat(store.finalizeBy(late.id(), CSR, late.expiresAt())).isFalse();
    assertThat(state(late)).isEqualTo(new RequestState.Ready());
  }

  @Test
  void finalizeBy_manyAtOnce_oneWins() {
    CertificateRequest request = requests.added(requests.id(), NOW);
    AtomicInteger won = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 10; i++) {
        CsrDer csr = i % 2 == 0 ? CSR : OTHER;
        threads.execute(() -> won.addAndGet(store.finalizeBy(request.id(), csr, NOW) ? 1 : 0));
      }
    }

    assertThat(won).hasValue(1);
  }

  @Test
  void recorded_winsOverARefusal_neverTheOtherWayRound() {
    CertificateRequest ready = requests.added(requests.id(), NOW);
    store.recorded(ready.id(), SERIAL);
    store.refuse(ready.id(), REFUSAL);
    assertThat(state(ready)).isEqualTo(new RequestState.Ready());

    CertificateRequest request = requests.added(requests.id(), NOW);
    assertThat(store.finalizeBy(request.id(), CSR, NOW)).isTrue();
    store.refuse(request.id(), REFUSAL);
    assertThat(state(request)).isEqualTo(new RequestState.Refused(CSR, REFUSAL));
    store.recorded(request.id(), SERIAL);
    assertThat(state(request)).isEqualTo(new RequestState.Recorded(CSR, SERIAL));
    store.refuse(request.id(), REFUSAL);
    assertThat(state(request)).isEqualTo(new RequestState.Recorded(CSR, SERIAL));
  }

  @Test
  void unrecorded_oldestFirst_andNothingThatIsOver() {
    CertificateRequest first = requests.added(requests.id(), NOW);
    CertificateRequest second = requests.added(requests.id(), NOW);
    CertificateRequest over = requests.added(requests.id(), NOW);
    CertificateRequest _ = requests.added(requests.id(), NOW);
    assertThat(store.finalizeBy(second.id(), CSR, NOW.plusSeconds(2))).isTrue();
    assertThat(store.finalizeBy(first.id(), CSR, NOW.plusSeconds(1))).isTrue();
    assertThat(store.finalizeBy(over.id(), CSR, NOW)).isTrue();
    store.refuse(over.id(), REFUSAL);

    assertThat(store.unrecorded(NOW.plusSeconds(9), 10))
        .extracting(CertificateRequest::id)
        .containsExactly(first.id(), second.id());
    assertThat(store.unrecorded(NOW.plusSeconds(2), 10)).hasSize(1);
    assertThat(store.unrecorded(NOW.plusSeconds(9), 1)).hasSize(1);
    store.postpone(first.id(), NOW.plusSeconds(8));
    assertThat(store.unrecorded(NOW.plusSeconds(9), 10))
        .extracting(CertificateRequest::id)
        .containsExactly(second.id(), first.id());
  }

  @Test
  void ofActor_inPages_eachOnce() {
    RegistrationId actor = requests.id();
    for (int i = 0; i < 5; i++) {
      CertificateRequest _ = requests.added(actor, NOW.plusSeconds(i / 2));
    }
    CertificateRequest _ = requests.added(requests.id(), NOW);

    List<Place> first = store.ofActor(actor, Place.FIRST, 3);
    List<Place> second = store.ofActor(actor, first.getLast(), 3);

    assertThat(first).hasSize(3);
    assertThat(second).hasSize(2).doesNotContainAnyElementsOf(first);
  }

  private boolean addsOpen(RegistrationId actor, Optional<String> network, RequestState state) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    return store.add(
        new CertificateRequest(
            requests.id(),
            new EndpointName("internal"),
            new RequesterId("web"),
            actor,
            new ProfileName("tls-server"),
            List.of(new Identifier.Dns("a.corp.example")),
            now,
            now.plus(Duration.ofHours(1)),
            Optional.empty(),
            state),
        network);
  }

  /** Accounts are free where no binding is asked for: many of one network leave others room. */
  @Test
  void add_openOnesOfOneNetwork_bounded() {
    Optional<String> network = Optional.of("192.0.2.0/24");
    for (int i = 0; i < PostgresRequestStore.OPEN_OF_NETWORK_MAX; i++) {
      assertThat(addsOpen(requests.id(), network, new RequestState.Ready())).isTrue();
    }

    assertThat(addsOpen(requests.id(), network, new RequestState.Ready())).isFalse();
    assertThat(addsOpen(requests.id(), Optional.of("198.51.100.0/24"), new RequestState.Ready()))
        .isTrue();
    assertThat(addsOpen(requests.id(), Optional.empty(), new RequestState.Ready())).isTrue();
  }

  /** What failed makes room for other open ones, and not for other ones of this hour. */
  @Test
  void add_unprovenOnesOfAnHour_bounded() {
    RegistrationId actor = requests.id();
    RequestState awaiting =
        new RequestState.Awaiting(List.of(Authorization.pending(0, requests.id().text())));
    for (int i = 0; i < PostgresRequestStore.UNPROVEN_IN_HOUR_MAX; i++) {
      assertThat(addsOpen(actor, Optional.empty(), awaiting)).isTrue();
      PostgresForTests.get()
          .execute(address, "UPDATE certificate_request SET expires_at = now() - interval '1 s'");
    }

    assertThat(addsOpen(actor, Optional.empty(), awaiting)).isFalse();
    assertThat(addsOpen(requests.id(), Optional.empty(), awaiting)).isTrue();
    assertThat(addsOpen(actor, Optional.empty(), new RequestState.Ready())).isTrue();
  }

  /** A refused request stays with its CSR. */
  @Test
  void add_afterManyThatWereRefused_bounded() {
    RegistrationId actor = requests.id();
    for (int i = 0; i < PostgresRequestStore.REFUSED_IN_HOUR_MAX; i++) {
      assertThat(addsOpen(actor, Optional.empty(), new RequestState.Ready())).isTrue();
    }
    PostgresForTests.get()
        .execute(
            address,
            "UPDATE certificate_request SET csr = '\\x3000', finalized_at = now(), tried_at ="
                + " now(), refusal = 'bad_csr', refusal_detail = 'weak'");

    assertThat(addsOpen(actor, Optional.empty(), new RequestState.Ready())).isFalse();
    assertThat(addsOpen(requests.id(), Optional.empty(), new RequestState.Ready())).isTrue();
    PostgresForTests.get()
        .execute(
            address, "UPDATE certificate_request SET created_at = created_at - interval '1 hour'");
    assertThat(addsOpen(actor, Optional.empty(), new RequestState.Ready())).isTrue();
  }
}
