package org.sluiceca.api.profile.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovalBody;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/profiles/{name}}: admins store versions of a profile and say which one issues, on all
 * nodes, while they run. Roles are asked for by the routes.
 */
@RestController
final class ProfileVersionsController {

  /** RFC 9512. */
  static final String YAML = "application/yaml";

  private static final String PATH = "/v1/profiles";

  /**
   * A wish to activate.
   *
   * @param version a stored version
   * @param replaces the activation that the admin has seen, 0 for none; without it whichever there
   *     is
   */
  record ActivationWish(@Nullable Integer version, @Nullable Long replaces) {}

  /** A version that is stored now. */
  record StoredBody(String name, int version, String digest, String sha256) {}

  /** A stored version in a list. */
  record VersionBody(int version, String sha256, String addedBy, String addedAt) {}

  /**
   * An activation.
   *
   * @param version absent for each node's file
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ActivationBody(
      String name,
      long activation,
      @Nullable Integer version,
      String activatedBy,
      String activatedAt) {

    static ActivationBody of(Activation activation) {
      return new ActivationBody(
          activation.name().value(),
          activation.number(),
          activation.version().isPresent() ? activation.version().getAsInt() : null,
          activation.activatedBy().value(),
          activation.activatedAt().toString());
    }
  }

  /**
   * One profile's versions.
   *
   * @param active the activation that counts, absent where nothing was ever activated
   * @param issuing the version that this node issues by, absent where it has none
   * @param refused why this node does not issue by what is active
   * @param file what this node issues by where each node's own file does, absent where it has none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record VersionsBody(
      String name,
      @Nullable ActivationBody active,
      @Nullable Integer issuing,
      @Nullable String refused,
      @Nullable FileBody file,
      List<VersionBody> versions) {

    /** The node's own file, by the digest over what decides certificates. */
    record FileBody(String digest, int version) {

      static FileBody of(CertificateProfile file) {
        return new FileBody(file.version().digest().toString(), file.version().number());
      }
    }
  }

  private final ProfileAdministration profiles;
  private final Approvals approvals;
  private final ProfileActivationAct act;

  ProfileVersionsController(
      ProfileAdministration profiles, Approvals approvals, ProfileActivationAct act) {
    this.profiles = profiles;
    this.approvals = approvals;
    this.act = act;
  }

  @PostMapping(path = PATH, consumes = YAML)
  ResponseEntity<StoredBody> add(
      @AuthenticationPrincipal Requester admin, @RequestBody byte[] file) {
    ProfileAnswer.Stored stored = stored(profiles.add(file, admin.id()));
    CertificateProfile profile = stored.profile();
    String path = PATH + "/" + profile.name() + "/versions/" + profile.version().number();
    return ResponseEntity.status(stored.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
        .location(URI.create(path))
        // Whatever the client accepts: what was stored is never a 406.
        .contentType(MediaType.APPLICATION_JSON)
        .body(
            new StoredBody(
                profile.name().value(),
                profile.version().number(),
                profile.version().digest().toString(),
                Digest.sha256(file).toString()));
  }

  @GetMapping(PATH + "/{name}/versions")
  VersionsBody versions(@PathVariable String name) {
    ProfileName profile = nameOf(name);
    ProfileAdministration.View view = profiles.view(profile);
    if (!view.isKnown()) {
      throw unknown("unknown profile");
    }
    return new VersionsBody(
        name,
        view.activation().map(ActivationBody::of).orElse(null),
        view.issuing().map(p -> p.version().number()).orElse(null),
        view.refused().orElse(null),
        view.file().map(VersionsBody.FileBody::of).orElse(null),
        view.stored().stream().map(ProfileVersionsController::body).toList());
  }

  @GetMapping(path = PATH + "/{name}/versions/{version}", produces = YAML)
  ResponseEntity<byte[]> file(@PathVariable String name, @PathVariable String version) {
    Optional<StoredVersion> stored = profiles.find(nameOf(name), versionOf(version));
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(YAML))
        .body(stored.orElseThrow(() -> unknown("unknown version")).content().octets());
  }

  @PutMapping(path = PATH + "/{name}/active", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> activate(
      @AuthenticationPrincipal Requester admin,
      @PathVariable String name,
      @RequestBody ActivationWish wish) {
    Integer version = wish.version();
    if (version == null) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, "version must be a number");
    }
    OptionalLong replaces =
        wish.replaces() == null ? OptionalLong.empty() : OptionalLong.of(wish.replaces());
    ProfileAnswer judged =
        profiles.judge(nameOf(name), OptionalInt.of(version), replaces, admin.id());
    return isHeldBack(judged)
        ? waiting(judged, admin)
        : ResponseEntity.ok()
            .contentType(MediaType.APPLICATION_JSON)
            .body(ActivationBody.of(inForce(judged)));
  }

  @DeleteMapping(PATH + "/{name}/active")
  ResponseEntity<Object> deactivate(
      @AuthenticationPrincipal Requester admin, @PathVariable String name) {
    ProfileAnswer judged =
        profiles.judge(nameOf(name), OptionalInt.empty(), OptionalLong.empty(), admin.id());
    if (isHeldBack(judged)) {
      return waiting(judged, admin);
    }
    inForce(judged);
    return ResponseEntity.noContent().build();
  }

  private boolean isHeldBack(ProfileAnswer judged) {
    return judged instanceof ProfileAnswer.Ready
        && approvals.isHeldBack(ApprovalAction.PROFILE_ACTIVATION);
  }

  private ResponseEntity<Object> waiting(ProfileAnswer judged, Requester admin) {
    if (!(judged instanceof ProfileAnswer.Ready(var wish))) {
      throw refused(judged);
    }
    return ApprovalBody.waiting(
        approvals.ask(ApprovalAction.PROFILE_ACTIVATION, act.content(wish), admin));
  }

  private Activation inForce(ProfileAnswer judged) {
    ProfileAnswer answer =
        judged instanceof ProfileAnswer.Ready(var wish) ? profiles.activate(wish) : judged;
    if (answer instanceof ProfileAnswer.InForce(Activation activation)) {
      return activation;
    }
    throw refused(answer);
  }

  private static ProfileAnswer.Stored stored(ProfileAnswer answer) {
    if (answer instanceof ProfileAnswer.Stored stored) {
      return stored;
    }
    throw refused(answer);
  }

  static ProblemException refused(ProfileAnswer answer) {
    return switch (answer) {
      case ProfileAnswer.Invalid(String detail) ->
          new ProblemException(ProblemType.INVALID_PROFILE, detail);
      case ProfileAnswer.Contradicted(String detail) ->
          new ProblemException(ProblemType.CONFLICT, detail);
      case ProfileAnswer.Unknown(String detail) -> unknown(detail);
      case ProfileAnswer.Sound sound -> throw new IllegalStateException("not asked for");
      case ProfileAnswer.Stored stored -> throw new IllegalStateException("not asked for");
      case ProfileAnswer.Ready ready -> throw new IllegalStateException("not done");
      case ProfileAnswer.InForce inForce -> throw new IllegalStateException("not asked for");
    };
  }

  private static VersionBody body(StoredVersion version) {
    return new VersionBody(
        version.version(),
        Digest.sha256(version.content().octets()).toString(),
        version.addedBy().value(),
        version.addedAt().toString());
  }

  private static ProfileName nameOf(String name) {
    if (!ProfileName.isValid(name)) {
      throw unknown("unknown profile");
    }
    return new ProfileName(name);
  }

  private static int versionOf(String version) {
    try {
      return Integer.parseInt(version);
    } catch (NumberFormatException e) {
      throw unknown("unknown version");
    }
  }

  private static ProblemException unknown(String detail) {
    return new ProblemException(ProblemType.NOT_FOUND, detail);
  }
}
