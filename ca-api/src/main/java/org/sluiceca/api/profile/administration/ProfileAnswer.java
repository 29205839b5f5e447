package org.sluiceca.api.profile.administration;

import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;

/** The result of an act upon profiles. */
public sealed interface ProfileAnswer {

  /** The version is stored, by this request or by an earlier one with the same file. */
  record Stored(CertificateProfile profile, boolean isNew) implements ProfileAnswer {}

  /**
   * The file could be stored now.
   *
   * @param isStored whether the very same file is stored already
   */
  record Sound(CertificateProfile profile, boolean isStored) implements ProfileAnswer {}

  /** Nothing speaks against the wish now. */
  record Ready(ActivationWish<ProfileName> wish) implements ProfileAnswer {}

  /** This activation counts, be it new or the one that was there. */
  record InForce(Activation activation) implements ProfileAnswer {}

  /** There is no such profile or version. */
  record Unknown(String detail) implements ProfileAnswer {}

  /** The version is no profile that may issue here. */
  record Invalid(String detail) implements ProfileAnswer {}

  /** Something else is there already. */
  record Contradicted(String detail) implements ProfileAnswer {}
}
