package org.sluiceca.api.profile.administration;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovedAct;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import tools.jackson.databind.JsonNode;

/** Activates a profile's version that a second person has approved. Thread-safe. */
public final class ProfileActivationAct implements ApprovedAct {

  private static final String PROFILE = "profile";
  private static final String VERSION = "version";
  private static final String REPLACES = "replaces";
  private static final String SHA256 = "sha256";
  private static final String FILE = "file";

  /** In place of a digest: where nodes have no file of the name, nothing issues under it then. */
  private static final String NO_FILE = "none";

  private final ProfileAdministration profiles;

  /** Acts upon {@code profiles}. */
  public ProfileActivationAct(ProfileAdministration profiles) {
    this.profiles = profiles;
  }

  @Override
  public ApprovalAction action() {
    return ApprovalAction.PROFILE_ACTIVATION;
  }

  /**
   * Returns what is asked for: the file by its digest, too, so that who approves knows which one.
   * Of a stored file that is over its octets; of each node's own, the profile's digest here.
   */
  public Map<String, Object> content(ProfileWish wish) {
    Map<String, Object> content = new HashMap<>();
    content.put(PROFILE, wish.name().value());
    content.put(REPLACES, wish.replaces());
    if (wish.version().isPresent()) {
      int version = wish.version().getAsInt();
      content.put(VERSION, version);
      profiles.find(wish.name(), version).ifPresent(e -> content.put(SHA256, sha256(e)));
    } else {
      content.put(FILE, file(wish.name()));
    }
    return content;
  }

  @Override
  public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    // By another node, perhaps, whose file is another one.
    Optional<Activation> made = profiles.approved(approval);
    if (made.isPresent()) {
      return done(made.get());
    }
    ProfileName name = new ProfileName(content.path(PROFILE).asString(""));
    OptionalInt version =
        content.has(VERSION) ? OptionalInt.of(content.path(VERSION).asInt()) : OptionalInt.empty();
    Optional<String> fault = fault(name, version, content);
    if (fault.isPresent()) {
      return Result.failed(fault.get());
    }
    ProfileWish wish = new ProfileWish(name, version, content.path(REPLACES).asLong(), askedBy);
    return switch (profiles.activateApproved(wish, approval)) {
      case ProfileAnswer.InForce(var activation) -> done(activation);
      case ProfileAnswer.Unknown(String detail) -> Result.failed(detail);
      case ProfileAnswer.Invalid(String detail) -> Result.failed(detail);
      case ProfileAnswer.Contradicted(String detail) -> Result.failed(detail);
      case ProfileAnswer.Ready ready -> throw new IllegalStateException("not done");
      case ProfileAnswer.Sound sound -> throw new IllegalStateException("not asked for");
      case ProfileAnswer.Stored stored -> throw new IllegalStateException("not asked for");
    };
  }

  /** Why what would issue is not what was approved. */
  private Optional<String> fault(ProfileName name, OptionalInt version, JsonNode content) {
    if (version.isPresent()) {
      String approved = content.path(SHA256).asString("");
      return profiles
              .find(name, version.getAsInt())
              .map(ProfileActivationAct::sha256)
              .filter(approved::equals)
              .isPresent()
          ? Optional.empty()
          : Optional.of("the stored file is not the one that was approved");
    }
    String approved = content.path(FILE).asString("");
    String own = file(name);
    return own.equals(approved)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the file of the node that was to carry it out is %s, and %s was approved",
                own,
                approved.isEmpty() ? "no certain one" : approved));
  }

  private String file(ProfileName name) {
    return profiles.file(name).map(p -> p.version().digest().toString()).orElse(NO_FILE);
  }

  private static Result done(Activation activation) {
    return Result.done("activation " + activation.number());
  }

  private static String sha256(StoredVersion version) {
    return Digest.sha256(version.content().octets()).toString();
  }
}
