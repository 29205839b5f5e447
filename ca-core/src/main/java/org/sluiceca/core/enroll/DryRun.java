package org.sluiceca.core.enroll;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.CsrDer;

/**
 * Runs the code of steps 2 to 4 before the first client asks for it. Nothing can be issued from
 * here: this class has no ledger, no signer and no sink for events, the place that step 2 wants
 * comes from a line of its own, which counts for no requester, and the plan that step 4 makes is
 * dropped. Thread-safe, for one caller at a time; blocks for CPU work only.
 */
public final class DryRun {

  /** Step 1 asks for it, and gives the one place at once. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final CsrVerifier csrVerifier;
  private final Planner planner;
  private final Ticker ticker;
  private final Admission line;

  /** Uses the parts of the line, which keep nothing of a request. */
  public DryRun(CsrVerifier csrVerifier, Planner planner, Ticker ticker, RandomGenerator random) {
    this.csrVerifier = csrVerifier;
    this.planner = planner;
    this.ticker = ticker;
    this.line = new Admission(1, () -> true, ticker, random);
  }

  /** Returns whether steps 2 to 4 let the request through; nothing else comes of it. */
  public boolean run(CertificateProfile profile, CsrDer csr) {
    EnrollmentRequest request =
        new EnrollmentRequest(requesterOf(profile), profile.name(), csr, Optional.empty());
    ProfileAuthorizer authorizer = new ProfileAuthorizer(new ProfileCatalog(List.of(profile)));
    Deadline deadline = Deadline.after(ANSWER_MAX, ticker);
    if (!(line.admit(authorizer.lane(request), request.requester().id(), deadline)
        instanceof LinePermit place)) {
      return false;
    }
    try (place) {
      planner.plan(csrVerifier.verify(authorizer.authorize(place, request)));
      return true;
    } catch (RejectedException | CaUnavailable e) {
      return false;
    }
  }

  /** A requester of the node itself, which no client can register. */
  private static Requester requesterOf(CertificateProfile profile) {
    return new Requester(
        RequesterId.NODE, Authentication.NODE, Set.of(Role.REQUESTER), Set.of(profile.name()));
  }
}
