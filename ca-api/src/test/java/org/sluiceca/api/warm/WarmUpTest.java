package org.sluiceca.api.warm;

import static org.assertj.core.api.Assertions.assertThatNoException;

import java.net.InetAddress;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.access.OwnRequests;
import org.sluiceca.api.profile.version.VersionRules;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.enroll.DryRun;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.mock.env.MockEnvironment;

class WarmUpTest {

  /** A node whose profiles are versions in the database has no such file. */
  @Test
  void run_noProfileInFiles_theStartGoesOn() {
    WarmUp warmUp =
        new WarmUp(
            new DryRun(
                new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
                new Planner(
                    new IssuerCatalog(List.of()),
                    new SerialNumbers(new SplittableRandom(1)),
                    () -> Fixtures.NOW),
                () -> 0,
                new SplittableRandom(1)),
            new VersionRules(new ProfileCatalog(List.of()), _ -> true, true),
            new DefaultSslBundleRegistry(),
            new OwnRequests(),
            new MockEnvironment(),
            InetAddress.getLoopbackAddress(),
            () -> 0);

    assertThatNoException().isThrownBy(() -> warmUp.run(new DefaultApplicationArguments()));
  }
}
