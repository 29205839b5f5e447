package org.sluiceca.api.registration.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.Refusal;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;

/** The requests of a certificate, on a real PostgreSQL, with the rights of a node. */
class RequestsBySerialTest {

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final CsrDer CSR = CsrDer.of(new byte[] {0x30, 0});
  private static final SerialNumber SERIAL = StoredRequests.REPLACED;
  private static final Refusal REFUSAL = new Refusal(Refusal.Kind.BAD_CSR, "its key is weak");

  private final StoredRequests requests = new StoredRequests();
  private final LedgerDatabase database = requests.database();
  private final PostgresRequestStore store = requests.store();
  private final RequestsBySerial bySerial = new RequestsBySerial(database);

  @AfterEach
  void close() {
    requests.close();
  }

  private RequestState awaiting() {
    return new RequestState.Awaiting(List.of(Authorization.pending(0, requests.id().text())));
  }

  @Test
  void findBySerial_theOneThatItCameFrom() {
    CertificateRequest request = requests.added(requests.id(), NOW);
    assertThat(bySerial.findBySerial(SERIAL)).isEmpty();

    assertThat(store.finalizeBy(request.id(), CSR, NOW)).isTrue();
    store.recorded(request.id(), SERIAL);

    assertThat(bySerial.findBySerial(SERIAL).map(CertificateRequest::id)).contains(request.id());
  }

  @Test
  void replacing_onceACsrIsThere_untilItIsRefused() {
    CertificateRequest request = requests.added(requests.id(), NOW);
    assertThat(bySerial.replacing(SERIAL)).isEmpty();

    assertThat(store.finalizeBy(request.id(), CSR, NOW)).isTrue();
    assertThat(bySerial.replacing(SERIAL)).contains(request.id());

    store.refuse(request.id(), REFUSAL);
    assertThat(bySerial.replacing(SERIAL)).isEmpty();
  }

  @Test
  void openReplacing_ofOneActor_withoutACsrAndNotExpired() {
    RegistrationId actor = requests.id();
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    var _ = requests.added(actor, NOW);
    var _ = requests.added(requests.id(), now);
    CertificateRequest first = requests.added(actor, now);
    var _ = requests.added(actor, now);

    assertThat(bySerial.openReplacing(actor, SERIAL)).isEqualTo(2);
    assertThat(store.finalizeBy(first.id(), CSR, now)).isTrue();
    assertThat(bySerial.openReplacing(actor, SERIAL)).isEqualTo(1);
  }

  /** It stays for a while, so that its client learns why, and can replace nothing any more. */
  @Test
  void openReplacing_orderThatIsInvalid_doesNotCount() {
    RegistrationId actor = requests.id();
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    CertificateRequest failed = requests.added(actor, now, awaiting());
    CertificateRequest deactivated = requests.added(actor, now, awaiting());
    var _ = requests.added(actor, now, awaiting());
    AuthorizationStore proofs = new AuthorizationStore(database);
    assertThat(bySerial.openReplacing(actor, SERIAL)).isEqualTo(3);

    proofs.deactivate(deactivated.id(), 0);
    assertThat(bySerial.openReplacing(actor, SERIAL)).isEqualTo(2);

    assertThat(proofs.begin(failed, 0, "http-01", "thumbprint", now)).isTrue();
    ProofQueue queue = new ProofQueue(database);
    Shares.Of<String> free = new Shares.Of<>(Map.of(), 1);
    queue
        .claim(
            1,
            Set.of("internal"),
            new Shares(new Shares.Of<>(Map.of(), 1), free, free),
            now,
            Duration.ofMinutes(1))
        .forEach(
            due ->
                queue.failed(
                    due, new Authorization.Fault("dns", "no address"), Optional.empty(), now));
    assertThat(bySerial.openReplacing(actor, SERIAL)).isEqualTo(1);
  }
}
