package org.sluiceca.api.acme.challenge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.registration.store.ProofQueue.Due;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/** The counts of proofs that a node looks for. */
class RunningProofsTest {

  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private final RunningProofs running = new RunningProofs();

  private static RegistrationId id(int last) {
    byte[] octets = new byte[RegistrationId.OCTETS];
    octets[octets.length - 1] = (byte) last;
    return new RegistrationId(OctetString.copyOf(octets));
  }

  private static Due due(int account, Optional<String> network) {
    CertificateRequest request =
        new CertificateRequest(
            id(100),
            new EndpointName("web"),
            new RequesterId("acme-web"),
            id(account),
            new ProfileName("tls-server"),
            List.of(new Identifier.Dns("a.corp.example")),
            NOW,
            NOW.plus(Duration.ofDays(1)),
            Optional.empty(),
            new RequestState.Awaiting(List.of(Authorization.pending(0, "A".repeat(22)))));
    return new Due(request, 0, "A".repeat(22), "http-01", "thumbprint", 1, network);
  }

  @Test
  void begin_countsOfAccountNetworkAndEndpoint() {
    running.begin(due(1, Optional.of("192.0.2.0/24")));
    running.begin(due(1, Optional.of("192.0.2.0/24")));
    running.begin(due(2, Optional.empty()));

    assertThat(running.free()).isEqualTo(RunningProofs.SLOTS - 3);
    assertThat(running.shares().actors().running()).isEqualTo(Map.of(id(1), 2, id(2), 1));
    assertThat(running.shares().networks().running()).isEqualTo(Map.of("192.0.2.0/24", 2));
    assertThat(running.shares().endpoints().running()).isEqualTo(Map.of("web", 3));
  }

  @Test
  void end_ofAll_nothingIsKept() {
    Due first = due(1, Optional.of("192.0.2.0/24"));
    Due second = due(1, Optional.empty());
    running.begin(first);
    running.begin(second);

    running.end(first);
    assertThat(running.shares().actors().running()).isEqualTo(Map.of(id(1), 1));
    assertThat(running.shares().networks().running()).isEmpty();
    running.end(second);

    assertThat(running.free()).isEqualTo(RunningProofs.SLOTS);
    assertThat(running.shares().actors().running()).isEmpty();
    assertThat(running.shares().endpoints().running()).isEmpty();
  }
}
