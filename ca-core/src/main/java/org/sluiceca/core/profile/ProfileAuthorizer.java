package org.sluiceca.core.profile;

import java.util.Optional;
import org.sluiceca.core.admit.AdmissionDecision.Permit;
import org.sluiceca.core.failure.CaUnavailable.ProfileUnavailable;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.sign.Lane;

/** Step 2, authorize: may this requester use this profile? Thread-safe. */
public final class ProfileAuthorizer {

  private final ProfileCatalog profiles;

  public ProfileAuthorizer(ProfileCatalog profiles) {
    this.profiles = profiles;
  }

  /**
   * Authorizes an admitted request.
   *
   * @param place the proof of step 1
   * @throws ProfileUnavailable if this node cannot use the active version of a profile that the
   *     requester may use; another node may
   */
  public AuthorizedRequest authorize(Permit place, EnrollmentRequest request)
      throws RejectedException {
    ProfileName name = request.profile();
    CertificateProfile profile = profiles.find(name).orElseThrow(() -> unavailable(request));
    if (!mayUse(request.requester(), profile)) {
      throw new RejectedException(
          Reason.PROFILE_NOT_ALLOWED,
          "requester " + request.requester().id() + " may not use profile " + name);
    }
    return new AuthorizedRequest(request, profile);
  }

  private RejectedException unavailable(EnrollmentRequest request) {
    ProfileName name = request.profile();
    if (request.requester().has(Role.REQUESTER) && request.requester().profiles().contains(name)) {
      profiles
          .unavailable(name)
          .ifPresent(
              why -> {
                throw new ProfileUnavailable("profile " + name + ": " + why);
              });
    }
    return new RejectedException(Reason.UNKNOWN_PROFILE, "no profile " + name);
  }

  /**
   * Returns the lane of a request that is not admitted yet: its profile's, if the requester may use
   * it, so that no requester gets a better lane than it may. A batch is never more than bulk, and a
   * renewal goes before requests for which a client waits. A look-up, before anything is parsed.
   */
  public Lane lane(EnrollmentRequest request) {
    Optional<Lane> own =
        profiles
            .find(request.profile())
            .filter(profile -> mayUse(request.requester(), profile))
            .map(CertificateProfile::lane);
    return switch (request.occasion()) {
      case Occasion.Single single -> own.orElse(Lane.INTERACTIVE);
      case Occasion.Batch batch -> Lane.BULK;
      case Occasion.Renewal _, Occasion.Replacement _ ->
          own.map(lane -> lane == Lane.INTERACTIVE ? Lane.RENEWAL : lane).orElse(Lane.INTERACTIVE);
    };
  }

  /** Returns whether {@code requester} may still use {@code profile}; recovery asks this again. */
  public static boolean mayUse(Requester requester, CertificateProfile profile) {
    return switch (profile.use()) {
      case CEREMONY -> requester.authentication() == Authentication.CEREMONY;
      case ENROLLMENT ->
          requester.has(Role.REQUESTER) && requester.profiles().contains(profile.name());
    };
  }
}
