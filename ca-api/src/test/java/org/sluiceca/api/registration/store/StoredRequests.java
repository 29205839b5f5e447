package org.sluiceca.api.registration.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/** Requests in a database of their own on a real PostgreSQL, with the rights of a node. */
final class StoredRequests implements AutoCloseable {

  /** The certificate that they replace. */
  static final SerialNumber REPLACED =
      SerialNumber.compose(new ExpiryWeek(2_970), new byte[SerialNumber.RANDOM_OCTETS]);

  private final SplittableRandom random = new SplittableRandom(1);
  private final Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final PostgresRequestStore store =
      new PostgresRequestStore(database, new RequestCounts(new SimpleMeterRegistry()));

  /** None yet. */
  StoredRequests() {
    PostgresForTests.awaitLogin(database);
  }

  Address address() {
    return address;
  }

  LedgerDatabase database() {
    return database;
  }

  PostgresRequestStore store() {
    return store;
  }

  /** Returns an identifier that no request has. */
  RegistrationId id() {
    byte[] octets = new byte[RegistrationId.OCTETS];
    random.nextBytes(octets);
    return new RegistrationId(OctetString.copyOf(octets));
  }

  /** Adds a request that is ready for its CSR and would replace {@link #REPLACED}. */
  CertificateRequest added(RegistrationId actor, Instant createdAt) {
    return added(actor, createdAt, new RequestState.Ready());
  }

  /** Adds one in this state. */
  CertificateRequest added(RegistrationId actor, Instant createdAt, RequestState state) {
    CertificateRequest request =
        new CertificateRequest(
            id(),
            new EndpointName("internal"),
            new RequesterId("web"),
            actor,
            new ProfileName("tls-server"),
            List.of(
                new Identifier.Dns("*.corp.example"),
                Identifier.parse("ip", "2001:db8::1").orElseThrow()),
            createdAt,
            createdAt.plus(Duration.ofHours(1)),
            Optional.of(REPLACED),
            state);
    assertThat(store.add(request)).isTrue();
    return request;
  }

  @Override
  public void close() {
    database.close();
  }
}
