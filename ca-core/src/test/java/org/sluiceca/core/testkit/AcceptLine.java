package org.sluiceca.core.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.AuthorizedRequest;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;

/**
 * Takes one request through the first steps of the line, for tests of a later step: its tokens
 * cannot be made in any other way. The clock stands at {@link Fixtures#NOW}; the randomness is
 * seeded.
 */
public final class AcceptLine {

  private static final long SEED = 42;

  private final CertificateProfile profile;
  private final IssuerCatalog issuers;

  /** A line with one profile and one issuer. */
  public AcceptLine(CertificateProfile profile, Issuer issuer) {
    this(profile, new IssuerCatalog(List.of(issuer)));
  }

  /** A line with one profile and these issuers. */
  public AcceptLine(CertificateProfile profile, IssuerCatalog issuers) {
    this.profile = profile;
    this.issuers = issuers;
  }

  /** Steps 1 and 2. */
  public AuthorizedRequest authorize(CsrDer csr) throws RejectedException {
    Requester requester =
        profile.use() == CertificateProfile.Use.CEREMONY
            ? Fixtures.ceremony()
            : new Requester(
                Fixtures.requester().id(),
                Fixtures.requester().authentication(),
                Fixtures.requester().roles(),
                Set.of(profile.name()));
    Admission admission = new Admission(1, () -> true, () -> 0, new SplittableRandom(SEED));
    Deadline deadline = new Deadline(Duration.ofSeconds(10).toNanos());
    if (!(admission.admit(Lane.INTERACTIVE, requester.id(), deadline)
        instanceof LinePermit place)) {
      throw new IllegalStateException("an empty line shed");
    }
    return new ProfileAuthorizer(new ProfileCatalog(List.of(profile)))
        .authorize(place, new EnrollmentRequest(requester, profile.name(), csr, Optional.empty()));
  }

  /** Steps 1 to 3. */
  public VerifiedCsr verify(CsrDer csr) throws RejectedException {
    return new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY).verify(authorize(csr));
  }

  /** Steps 1 to 4. */
  public IssuancePlan plan(CsrDer csr) throws RejectedException {
    return planner().plan(verify(csr));
  }

  /** The planner of step 4. */
  public Planner planner() {
    return new Planner(issuers, new SerialNumbers(new SplittableRandom(SEED)), () -> Fixtures.NOW);
  }
}
