package org.sluiceca.api.rest;

import java.util.List;
import java.util.Locale;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/profiles}: what can be asked for. */
@RestController
final class ProfilesController {

  /** The JSON form of a profile; the ceremony's profiles are listed too, and say so. */
  record ProfileBody(
      String name,
      String description,
      String use,
      String issuer,
      String validity,
      List<String> keyAlgorithms,
      int rsaBitsMin,
      List<String> subjectAltNameForms,
      List<String> extendedKeyUsage) {}

  private final ProfileCatalog profiles;

  ProfilesController(ProfileCatalog profiles) {
    this.profiles = profiles;
  }

  @GetMapping("/v1/profiles")
  List<ProfileBody> list() {
    return profiles.all().stream().map(ProfilesController::body).toList();
  }

  private static ProfileBody body(CertificateProfile profile) {
    CertificateProfile.Content content = profile.content();
    return new ProfileBody(
        profile.name().value(),
        profile.description(),
        profile.use().name().toLowerCase(Locale.ROOT),
        profile.issuer().value(),
        content.validity().duration().toString(),
        content.key().algorithms().stream().map(Enum::name).sorted().toList(),
        content.key().rsaBitsMin(),
        content.subjectAltName().forms().stream().map(Enum::name).sorted().toList(),
        content.extensions().extendedKeyUsage().stream().map(Enum::name).sorted().toList());
  }
}
