package org.sluiceca.api.approval;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.ledger.profile.StoredEdition;
import org.sluiceca.api.profile.edition.ProfileAdministration;
import org.sluiceca.api.profile.edition.ProfileAnswer;
import org.sluiceca.api.profile.edition.ProfileWish;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import tools.jackson.databind.JsonNode;

/** Activates a profile's version that a second person has approved. Thread-safe. */
public final class ProfileActivationAct implements ApprovedAct {

  private static final String PROFILE = "profile";
  private static final String VERSION = "version";
  private static final String REPLACES = "replaces";
  private static final String SHA256 = "sha256";

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
   */
  public Map<String, Object> content(ProfileWish wish) {
    Map<String, Object> content = new HashMap<>();
    content.put(PROFILE, wish.name().value());
    content.put(REPLACES, wish.replaces());
    if (wish.version().isPresent()) {
      int version = wish.version().getAsInt();
      content.put(VERSION, version);
      profiles.find(wish.name(), version).ifPresent(e -> content.put(SHA256, sha256(e)));
    }
    return content;
  }

  @Override
  public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    ProfileName name = new ProfileName(content.path(PROFILE).asString(""));
    OptionalInt version =
        content.has(VERSION) ? OptionalInt.of(content.path(VERSION).asInt()) : OptionalInt.empty();
    if (version.isPresent()) {
      Optional<StoredEdition> edition = profiles.find(name, version.getAsInt());
      if (edition
          .map(ProfileActivationAct::sha256)
          .filter(content.path(SHA256).asString("")::equals)
          .isEmpty()) {
        return Result.failed("the stored file is not the one that was approved");
      }
    }
    ProfileWish wish = new ProfileWish(name, version, content.path(REPLACES).asLong(), askedBy);
    return switch (profiles.activateApproved(wish, approval)) {
      case ProfileAnswer.InForce(var activation) ->
          Result.done("activation " + activation.number());
      case ProfileAnswer.Unknown(String detail) -> Result.failed(detail);
      case ProfileAnswer.Invalid(String detail) -> Result.failed(detail);
      case ProfileAnswer.Contradicted(String detail) -> Result.failed(detail);
      case ProfileAnswer.Ready ready -> throw new IllegalStateException("not done");
      case ProfileAnswer.Stored stored -> throw new IllegalStateException("not asked for");
    };
  }

  private static String sha256(StoredEdition edition) {
    return Digest.sha256(edition.content().octets()).toString();
  }
}
