package org.sluiceca.api.registration.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.x509.CsrDer;

/** Which requests are removed, on a real PostgreSQL, with the rights of a node. */
class OldRequestsTest {

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final CsrDer CSR = CsrDer.of(new byte[] {0x30, 0});

  private final StoredRequests requests = new StoredRequests();
  private final PostgresRequestStore store = requests.store();
  private final OldRequests old = new OldRequests(requests.database());

  @AfterEach
  void close() {
    requests.close();
  }

  @Test
  void remove_certificateThatHasNotExpired_stays() {
    CertificateRequest request = requests.added(requests.id(), NOW);
    assertThat(store.finalizeBy(request.id(), CSR, NOW)).isTrue();
    store.recorded(request.id(), StoredRequests.REPLACED);
    Instant expiry =
        Instant.EPOCH.plus(Duration.ofDays(7L * StoredRequests.REPLACED.expiryWeek().number()));

    // It expires in the week that begins then, and is kept for another one.
    Duration age = Duration.ofDays(100);
    assertThat(old.remove(age, expiry.plus(Duration.ofDays(13)), 10)).isZero();
    assertThat(old.remove(age, expiry.plus(Duration.ofDays(15)), 10)).isEqualTo(1);
  }

  @Test
  void remove_oldOnesThatAreOver() {
    CertificateRequest expired = requests.added(requests.id(), NOW);
    CertificateRequest waiting = requests.added(requests.id(), NOW);
    assertThat(store.finalizeBy(waiting.id(), CSR, NOW)).isTrue();
    CertificateRequest young = requests.added(requests.id(), NOW.plus(Duration.ofDays(2)));

    assertThat(old.remove(Duration.ofDays(1), NOW.plus(Duration.ofDays(2)), 10)).isEqualTo(1);

    assertThat(store.find(expired.id())).isEmpty();
    assertThat(store.find(waiting.id())).isPresent();
    assertThat(store.find(young.id())).isPresent();
  }
}
