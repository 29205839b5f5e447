package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.AdmissionDecision.Permit;
import org.sluiceca.core.failure.CaUnavailable.ProfileUnavailable;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.time.Deadline;

/** What step 2 answers where no profile of the name issues on this node. */
class ProfileAuthorizerTest {

  private final ProfileCatalog catalog = new ProfileCatalog(List.of(Fixtures.tlsServer()));

  private void authorize(Requester requester, ProfileName name) throws RejectedException {
    Admission admission = new Admission(1, () -> true, () -> 0, new SplittableRandom(1));
    Deadline deadline = new Deadline(Duration.ofSeconds(10).toNanos());
    if (!(admission.admit(Lane.INTERACTIVE, requester.id(), deadline) instanceof Permit place)) {
      throw new IllegalStateException("an empty line shed");
    }
    new ProfileAuthorizer(catalog)
        .authorize(
            place,
            new EnrollmentRequest(
                requester, name, CsrFixture.file("openssl-ec-p256"), Optional.empty()));
  }

  @Test
  void authorize_thisNodeCannotUseTheActiveVersion_unavailableForThoseWhoMayUseIt() {
    ProfileName name = Fixtures.tlsServer().name();
    catalog.replace(
        List.of(Fixtures.tlsServer()), List.of(), Map.of(name.value(), "issuer x is not here"));
    Requester alice = Fixtures.requester();
    Requester other = new Requester(alice.id(), alice.authentication(), alice.roles(), Set.of());

    assertThatExceptionOfType(ProfileUnavailable.class)
        .isThrownBy(() -> authorize(alice, name))
        .withMessage("profile tls-server: issuer x is not here");
    assertThatExceptionOfType(RejectedException.class).isThrownBy(() -> authorize(other, name));
  }

  @Test
  void authorize_noSuchProfile_rejected() {
    ProfileName name = Fixtures.shortLivedClient().name();

    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> authorize(Fixtures.requester(), name))
        .withMessage("no profile " + name);
  }
}
