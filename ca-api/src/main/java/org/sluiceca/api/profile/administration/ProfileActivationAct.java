package org.sluiceca.api.profile.administration;

import java.util.Optional;
import java.util.UUID;
import org.sluiceca.api.approval.ActivationAct;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.OctetString;

/** Activates a profile's version that a second person has approved. Thread-safe. */
public final class ProfileActivationAct extends ActivationAct<ProfileName> {

  private final ProfileAdministration profiles;

  /** Acts upon {@code profiles}. */
  public ProfileActivationAct(ProfileAdministration profiles) {
    super(ApprovalAction.PROFILE_ACTIVATION, "profile", ProfileName::new);
    this.profiles = profiles;
  }

  @Override
  protected Optional<OctetString> stored(ProfileName name, int version) {
    return profiles.find(name, version).map(StoredVersion::content);
  }

  @Override
  protected Optional<String> own(ProfileName name) {
    return profiles.file(name).map(p -> p.version().digest().toString());
  }

  @Override
  protected Optional<Long> made(UUID approval) {
    return profiles.approved(approval).map(Activation::number);
  }

  @Override
  protected Result activate(ActivationWish<ProfileName> wish, UUID approval) {
    return switch (profiles.activateApproved(wish, approval)) {
      case ProfileAnswer.InForce(var activation) -> done(activation.number());
      case ProfileAnswer.Unknown(String detail) -> Result.failed(detail);
      case ProfileAnswer.Invalid(String detail) -> Result.failed(detail);
      case ProfileAnswer.Contradicted(String detail) -> Result.failed(detail);
      case ProfileAnswer.Ready ready -> throw new IllegalStateException("not done");
      case ProfileAnswer.Sound sound -> throw new IllegalStateException("not asked for");
      case ProfileAnswer.Stored stored -> throw new IllegalStateException("not asked for");
    };
  }
}
