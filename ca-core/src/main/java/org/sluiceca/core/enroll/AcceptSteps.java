package org.sluiceca.core.enroll;

import java.util.function.Function;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Deadline;

/**
 * The collaborators of {@link Enrollment#accept}, in the order of the steps.
 *
 * @param orders step 1 for those who do not wait for an answer
 * @param work where a request under a profile will be signed, and what that costs; anything for an
 *     unknown profile. A look-up that never blocks: it is asked before the request is admitted
 */
public record AcceptSteps(
    Admission admission,
    AdmissionStep orders,
    Function<ProfileName, SigningCost> work,
    ProfileAuthorizer authorizer,
    CsrVerifier csrVerifier,
    Planner planner) {

  /** Where orders are admitted like any request. */
  public AcceptSteps(
      Admission admission,
      Function<ProfileName, SigningCost> work,
      ProfileAuthorizer authorizer,
      CsrVerifier csrVerifier,
      Planner planner) {
    this(admission, admission::admit, work, authorizer, csrVerifier, planner);
  }

  /** Where all are signed in one place and cost alike, too. */
  public AcceptSteps(
      Admission admission, ProfileAuthorizer authorizer, CsrVerifier csrVerifier, Planner planner) {
    this(admission, profile -> SigningCost.ORDINARY, authorizer, csrVerifier, planner);
  }

  /** Step 1: as {@link Admission#admit}. */
  @FunctionalInterface
  public interface AdmissionStep {

    /** Returns a place or a refusal, at once. */
    AdmissionDecision admit(Lane lane, RequesterId requester, SigningCost work, Deadline deadline);
  }
}
