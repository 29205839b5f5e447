package org.sluiceca.api.profile.administration;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/profiles:check}: what adding a file would answer, and what the profile allows. A path
 * of its own, so that a node of an older release refuses it instead of storing the file. Roles are
 * asked for by the routes.
 */
@RestController
final class ProfileCheckController {

  private final ProfileAdministration profiles;

  ProfileCheckController(ProfileAdministration profiles) {
    this.profiles = profiles;
  }

  @PostMapping(path = "/v1/profiles:check", consumes = ProfileVersionsController.YAML)
  CheckedProfile check(@RequestBody byte[] file) {
    ProfileAnswer answer = profiles.check(file);
    if (answer instanceof ProfileAnswer.Sound sound) {
      return CheckedProfile.of(sound, file);
    }
    throw ProfileVersionsController.refused(answer);
  }
}
