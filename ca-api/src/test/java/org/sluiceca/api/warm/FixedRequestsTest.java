package org.sluiceca.api.warm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.CertificationRequest;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.enroll.DryRun;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/** The requests of the warm-up go through all of steps 2 to 4, otherwise these stay cold. */
class FixedRequestsTest {

  @Test
  void read_kindsOfKeys_areThoseThatClientsHaveMost() throws IOException, DerException {
    List<PublicKeyAlgorithm> kinds = new ArrayList<>();
    for (CsrDer request : FixedRequests.read()) {
      CertificationRequest csr = CsrReader.read(request);
      kinds.add(csr.subjectPublicKeyInfo().key().algorithm());
    }

    assertThat(kinds)
        .containsExactly(
            PublicKeyAlgorithm.EC_P256, PublicKeyAlgorithm.EC_P384, PublicKeyAlgorithm.RSA);
  }

  @Test
  void read_shippedProfileForServers_passesEachRequest() throws IOException {
    CertificateProfile profile =
        ProfileFiles.named(ProfileFiles.read(ProfileFiles.CLASSPATH), WarmUp.PROFILE.value());
    DryRun dryRun =
        new DryRun(
            new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
            new Planner(
                new IssuerCatalog(List.of(Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")))),
                new SerialNumbers(new SplittableRandom(1)),
                () -> Fixtures.NOW),
            () -> 0,
            new SplittableRandom(1));

    assertThat(FixedRequests.read()).isNotEmpty().allMatch(request -> dryRun.run(profile, request));
  }
}
