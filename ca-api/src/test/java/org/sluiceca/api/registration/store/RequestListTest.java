package org.sluiceca.api.registration.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.registration.store.ProofQueue.Due;
import org.sluiceca.api.registration.store.RequestList.Count;
import org.sluiceca.api.registration.store.RequestList.Kind;
import org.sluiceca.api.registration.store.RequestList.Listed;
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
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/** Lists of requests on a real PostgreSQL, with the rights of a node. */
class RequestListTest {

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final CsrDer CSR = CsrDer.of(new byte[] {0x30, 0});
  private static final Refusal REFUSAL = new Refusal(Refusal.Kind.BAD_CSR, "its key is weak");
  private static final SerialNumber SERIAL =
      SerialNumber.compose(new ExpiryWeek(2_970), new byte[SerialNumber.RANDOM_OCTETS]);

  private final SplittableRandom random = new SplittableRandom(1);
  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final PostgresRequestStore store =
      new PostgresRequestStore(database, new RequestCounts(registry));
  private final AuthorizationStore proofs = new AuthorizationStore(database);
  private final ProofQueue queue = new ProofQueue(database);
  private final RequestList list = new RequestList(database);

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

  private CertificateRequest added(String endpoint, int minute, RequestState state) {
    CertificateRequest request =
        new CertificateRequest(
            id(),
            new EndpointName(endpoint),
            new RequesterId("web"),
            id(),
            new ProfileName("tls-server"),
            List.of(new Identifier.Dns("a.example.com"), new Identifier.Dns("b.example.com")),
            NOW.plus(Duration.ofMinutes(minute)),
            // Far from now: the limit of open requests counts by the database's clock.
            Instant.parse("2096-01-01T00:00:00Z").plus(Duration.ofMinutes(minute)),
            Optional.empty(),
            state);
    assertThat(store.add(request)).isTrue();
    return request;
  }

  private CertificateRequest finalized(String endpoint, int minute) {
    CertificateRequest request = added(endpoint, minute, new RequestState.Ready());
    assertThat(store.finalizeBy(request.id(), CSR, request.createdAt())).isTrue();
    return request;
  }

  /** In pages of two, so that each border between pages is crossed. */
  private List<RegistrationId> all(Kind kind) {
    List<RegistrationId> all = new ArrayList<>();
    RequestList.Place after = kind.first();
    while (true) {
      List<Listed> page = list.page(kind, after, 2);
      page.forEach(listed -> all.add(listed.request().id()));
      if (page.size() < 2) {
        return all;
      }
      after = page.getLast().place();
    }
  }

  private static List<RegistrationId> ids(CertificateRequest... requests) {
    return List.of(requests).stream().map(CertificateRequest::id).toList();
  }

  @Test
  void page_eachKind_itsOwnAloneInItsOrder() {
    CertificateRequest last = added("internal", 9, new RequestState.Ready());
    CertificateRequest first = added("internal", 1, new RequestState.Ready());
    CertificateRequest sameTime = added("other", 1, new RequestState.Ready());
    CertificateRequest waits = finalized("internal", 2);
    CertificateRequest waitsLonger = finalized("internal", 0);
    CertificateRequest refused = finalized("internal", 3);
    CertificateRequest refusedLater = finalized("internal", 4);
    CertificateRequest recorded = finalized("internal", 5);
    store.refuse(refused.id(), REFUSAL);
    store.refuse(refusedLater.id(), REFUSAL);
    store.recorded(recorded.id(), SERIAL);

    assertThat(all(Kind.OPEN)).hasSize(3).endsWith(last.id());
    assertThat(all(Kind.OPEN)).containsAll(ids(first, sameTime));
    assertThat(all(Kind.PROCESSING)).isEqualTo(ids(waitsLonger, waits));
    assertThat(all(Kind.REFUSED)).isEqualTo(ids(refusedLater, refused));
    assertThat(list.page(Kind.REFUSED, Kind.REFUSED.first(), 1).getFirst().request().refusal())
        .contains(REFUSAL);
  }

  @Test
  void page_openWithProofs_saysWhichIsMissing() {
    CertificateRequest request =
        added(
            "internal",
            1,
            new RequestState.Awaiting(List.of(Authorization.pending(1, id().text()))));
    assertThat(list.page(Kind.OPEN, Kind.OPEN.first(), 10))
        .extracting(Listed::request)
        .containsExactly(request);

    assertThat(proofs.begin(request, 1, "http-01", "thumbprint", NOW)).isTrue();
    Shares none =
        new Shares(
            new Shares.Of<>(Map.of(), 1),
            new Shares.Of<>(Map.of(), 1),
            new Shares.Of<>(Map.of(), 1));
    Due due = queue.claim(1, Set.of("internal"), none, NOW, Duration.ofMinutes(1)).getFirst();
    queue.failed(due, new Authorization.Fault("dns", "no address"), Optional.empty(), NOW);

    CertificateRequest failed = list.page(Kind.OPEN, Kind.OPEN.first(), 10).getFirst().request();
    assertThat(failed.refusal())
        .contains(new Refusal(Refusal.Kind.NOT_PROVEN, "b.example.com was not proven: no address"));
  }

  @Test
  void counts_byEndpoint_withTheOldest() {
    added("internal", 1, new RequestState.Ready());
    added("internal", 0, new RequestState.Ready());
    finalized("other", 5);
    finalized("other", 7);

    assertThat(list.counts(Kind.OPEN)).containsExactly(new Count("internal", 2, NOW));
    assertThat(list.counts(Kind.PROCESSING))
        .containsExactly(new Count("other", 2, NOW.plus(Duration.ofMinutes(5))));
    assertThat(list.counts(Kind.REFUSED)).isEmpty();
  }

  @Test
  void counters_eachStateOnce_byTheCallThatMadeIt() {
    CertificateRequest request = finalized("internal", 1);
    assertThat(store.finalizeBy(request.id(), CSR, NOW)).isFalse();
    store.refuse(request.id(), REFUSAL);
    store.refuse(request.id(), REFUSAL);
    store.recorded(request.id(), SERIAL);
    store.recorded(request.id(), SERIAL);

    assertThat(
            registry.getMeters().stream()
                .map(meter -> meter.getId().getTag("state") + meter.getId().getTag("reason"))
                .sorted())
        .containsExactly("finalized", "made", "recorded", "refusedbad_csr");
    assertThat(registry.getMeters())
        .allSatisfy(
            meter ->
                assertThat(
                        registry
                            .get(meter.getId().getName())
                            .tags(meter.getId().getTags())
                            .counter()
                            .count())
                    .isEqualTo(1));
  }
}
