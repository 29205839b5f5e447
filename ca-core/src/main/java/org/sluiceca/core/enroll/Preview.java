package org.sluiceca.core.enroll;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * Answers what a request would become: steps 2 to 4 with its requester and its profile, and nothing
 * after them. Nothing can be issued from here: this class has no ledger, no signer and no sink for
 * events, and its place comes from a line of its own, which counts for no requester. The line
 * itself may answer otherwise later: a profile, a reserved name or a clock may have changed.
 * Thread-safe, for one caller at a time; blocks for CPU work only.
 */
public final class Preview {

  /** Step 1 asks for it, and gives the one place at once. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final ProfileAuthorizer authorizer;
  private final CsrVerifier csrVerifier;
  private final Planner planner;
  private final Ticker ticker;
  private final Admission line;

  /** What a request would become. */
  public sealed interface Result {

    /** This certificate, with another serial number. */
    record Planned(IssuancePlan plan) implements Result {}

    /** Nothing: it would be refused for cause. */
    record Refused(Rejection rejection) implements Result {}
  }

  /** Uses the parts of the line, which keep nothing of a request. */
  public Preview(
      ProfileCatalog profiles,
      CsrVerifier csrVerifier,
      Planner planner,
      Ticker ticker,
      RandomGenerator random) {
    this.authorizer = new ProfileAuthorizer(profiles);
    this.csrVerifier = csrVerifier;
    this.planner = planner;
    this.ticker = ticker;
    this.line = new Admission(1, () -> true, ticker, random);
  }

  /**
   * Returns what would become of a request.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable as the steps do
   * @throws IllegalStateException if another caller is here
   */
  public Result of(EnrollmentRequest request) {
    Deadline deadline = Deadline.after(ANSWER_MAX, ticker);
    if (!(line.admit(authorizer.lane(request), request.requester().id(), deadline)
        instanceof LinePermit place)) {
      throw new IllegalStateException("one caller at a time");
    }
    try (place) {
      return new Result.Planned(
          planner.plan(csrVerifier.verify(authorizer.authorize(place, request))));
    } catch (RejectedException e) {
      return new Result.Refused(e.rejection());
    }
  }
}
