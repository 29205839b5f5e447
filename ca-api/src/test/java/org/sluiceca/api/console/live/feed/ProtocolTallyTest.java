package org.sluiceca.api.console.live.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.IssuanceResult;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/** By which way a request came, whatever its client calls itself. */
class ProtocolTallyTest {

  private final ProtocolTally tally = new ProtocolTally();

  private static EnrollmentRequest request(Authentication authentication, Occasion occasion) {
    Requester web = Fixtures.requester();
    return new EnrollmentRequest(
        new Requester(web.id(), authentication, web.roles(), web.profiles()),
        Fixtures.tlsServer().name(),
        CsrFixture.file("openssl-ec-p256"),
        Optional.empty(),
        occasion);
  }

  private void accepted(Authentication authentication, Occasion occasion) {
    tally.accept(
        request(authentication, occasion),
        new IssuanceResult.InProgress(
            SerialNumber.compose(new ExpiryWeek(2_970), new byte[SerialNumber.RANDOM_OCTETS])));
  }

  @Test
  void accept_byAuthenticationAndOccasion() {
    accepted(Authentication.BEARER_TOKEN, new Occasion.Single());
    accepted(Authentication.CLIENT_CERTIFICATE, new Occasion.Single());
    accepted(Authentication.BEARER_TOKEN, new Occasion.Batch());
    accepted(Authentication.RENEWAL_PROOF, new Occasion.Single());
    accepted(Authentication.REGISTRATION, new Occasion.Replacement());
    accepted(Authentication.NODE, new Occasion.Single());

    assertThat(tally.tallies())
        .containsEntry("REST", new Tally(2, 0))
        .containsEntry("REST, batch", new Tally(1, 0))
        .containsEntry("REST, renewal", new Tally(1, 0))
        .containsEntry("ACME", new Tally(1, 0))
        .containsEntry("the node itself", new Tally(1, 0));
  }

  @Test
  void accept_refusedForLoad_countsAsRefused() {
    tally.accept(
        request(Authentication.REGISTRATION, new Occasion.Single()),
        new IssuanceResult.Shed(
            new AdmissionDecision.Shed(
                AdmissionDecision.Cause.SATURATED, Duration.ofSeconds(1), Optional.empty())));

    assertThat(tally.tallies()).containsEntry("ACME", new Tally(0, 1));
  }
}
