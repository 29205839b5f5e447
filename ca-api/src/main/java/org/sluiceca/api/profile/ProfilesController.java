package org.sluiceca.api.profile;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.profile.ValidityPolicy.Term;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/profiles}: what can be asked for. */
@RestController
final class ProfilesController {

  /** The JSON form of a profile; the ceremony's profiles are listed too, and say so. */
  record ProfileBody(
      String name,
      int version,
      String digest,
      String description,
      String use,
      String lane,
      String issuer,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String validity,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant notAfter,
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
        profile.version().number(),
        profile.version().digest().toString(),
        profile.description(),
        profile.use().name().toLowerCase(Locale.ROOT),
        profile.lane().name().toLowerCase(Locale.ROOT),
        profile.issuer().value(),
        content.validity().term() instanceof Term.Lasting(Duration duration)
            ? duration.toString()
            : null,
        content.validity().term() instanceof Term.Until(Instant notAfter) ? notAfter : null,
        content.key().algorithms().stream().map(Enum::name).sorted().toList(),
        content.key().rsaBitsMin(),
        content.subjectAltName().forms().stream().map(Enum::name).sorted().toList(),
        content.extensions().extendedKeyUsage().stream()
            .map(ExtendedKeyUsage::name)
            .sorted()
            .toList());
  }
}
