package org.sluiceca.api.profile;

import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.IssuerName;

/** The profile of OCSP responders' certificates. */
public final class ResponderProfile {

  /** Its name. */
  public static final ProfileName NAME = new ProfileName("ocsp-responder");

  private ResponderProfile() {}

  /**
   * Returns the profile {@code ocsp-responder} of {@code catalog}, or the shipped one, for the
   * responder of this issuer: RFC 6960 4.2.2.2 wants it certified by the issuer itself, so the one
   * that the profile names does not matter.
   */
  public static CertificateProfile of(ProfileCatalog catalog, IssuerName issuer) {
    CertificateProfile profile =
        catalog
            .find(NAME)
            .orElseGet(
                () -> ProfileFiles.named(ProfileFiles.read(ProfileFiles.CLASSPATH), NAME.value()));
    if (!profile
        .content()
        .extensions()
        .extendedKeyUsage()
        .contains(ExtendedKeyUsage.OCSP_SIGNING)) {
      throw new IllegalArgumentException("profile " + NAME + " has no purpose ocsp_signing");
    }
    return new CertificateProfile(
        profile.name(),
        profile.description(),
        profile.use(),
        issuer,
        profile.content(),
        profile.version(),
        profile.lane());
  }
}
