package org.sluiceca.api.profile.administration;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.ActivationStore;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.api.profile.store.VersionStore;
import org.sluiceca.api.profile.version.ActiveVersions;
import org.sluiceca.api.profile.version.VersionRules;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * Stores and activates versions of profiles; each act is in the audit trail before it is done. The
 * caller decides which requesters may ask. Thread-safe; every method blocks, for some seconds at
 * most, and throws {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the
 * database does not answer: the act may have been done then, and asking again is safe.
 */
public final class ProfileAdministration {

  private static final ProfileAnswer CLOSED =
      new ProfileAnswer.Contradicted(
          "this node takes profiles from its files only (sluice.profiles-at-run-time)");

  private final VersionRules rules;
  private final VersionStore store;
  private final ActivationStore activations;
  private final Predicate<IssuerName> active;
  private final AuditTrail trail;
  private final ActiveVersions versions;

  /**
   * Acts upon the stores, and has {@code versions} take it up at once.
   *
   * @param active whether an issuer may issue now; may ask the database
   */
  public ProfileAdministration(
      VersionRules rules,
      VersionStore store,
      ActivationStore activations,
      Predicate<IssuerName> active,
      AuditTrail trail,
      ActiveVersions versions) {
    this.rules = rules;
    this.store = store;
    this.activations = activations;
    this.active = active;
    this.trail = trail;
    this.versions = versions;
  }

  /**
   * The state of one profile.
   *
   * @param file the profile under which this node issues where each node's file counts
   */
  public record View(
      List<StoredVersion> stored,
      Optional<Activation> activation,
      Optional<CertificateProfile> issuing,
      Optional<String> refused,
      Optional<CertificateProfile> file) {

    /** Whether there is such a profile at all. */
    public boolean isKnown() {
      return !stored.isEmpty() || activation.isPresent() || issuing.isPresent() || file.isPresent();
    }
  }

  /** Returns the stored versions, what was activated, and what this node issues by. */
  public View view(ProfileName name) {
    return new View(
        store.list(name),
        activations.current(name),
        versions.catalog().find(name),
        Optional.ofNullable(versions.standing().refused().get(name.value())),
        file(name));
  }

  /** Returns a stored file. */
  public Optional<StoredVersion> find(ProfileName name, int version) {
    return store.find(name, version);
  }

  /** Returns this node's own file, whatever issues. Does not block. */
  public Optional<CertificateProfile> file(ProfileName name) {
    return rules.files().find(name);
  }

  /** Returns the activation that this approval has made. */
  public Optional<Activation> approved(UUID approval) {
    return activations.approved(approval);
  }

  /** Stores a file under the name and version that it states; nothing issues by it yet. */
  public ProfileAnswer add(byte[] content, RequesterId by) {
    if (!rules.isOpen()) {
      return CLOSED;
    }
    CertificateProfile profile;
    try {
      profile = validated(content);
    } catch (IllegalArgumentException e) {
      return new ProfileAnswer.Invalid(String.valueOf(e.getMessage()));
    }
    trail.recordDurably(
        new Fact(
            AuditKind.PROFILE_ADD,
            by.value(),
            Map.of(
                "profile", profile.name().value(),
                "version", profile.version().number(),
                "digest", profile.version().digest().toString(),
                "sha256", Digest.sha256(content).toString())));
    VersionStore.Added added = store.add(profile, OctetString.copyOf(content), by);
    return contradiction(added, profile)
        .orElseGet(() -> new ProfileAnswer.Stored(profile, added == VersionStore.Added.ADDED));
  }

  /**
   * Answers what {@link #add} would answer to the same file now: {@link ProfileAnswer.Sound} where
   * it would store it. Stores nothing and leaves nothing in the audit trail, since nothing is done.
   */
  public ProfileAnswer check(byte[] content) {
    if (!rules.isOpen()) {
      return CLOSED;
    }
    CertificateProfile profile;
    try {
      profile = validated(content);
    } catch (IllegalArgumentException e) {
      return new ProfileAnswer.Invalid(String.valueOf(e.getMessage()));
    }
    VersionStore.Added judged = store.judge(profile, OctetString.copyOf(content));
    return contradiction(judged, profile)
        .orElseGet(() -> new ProfileAnswer.Sound(profile, judged == VersionStore.Added.KNOWN));
  }

  /** Why a version cannot be stored, if it cannot. */
  private static Optional<ProfileAnswer> contradiction(
      VersionStore.Added added, CertificateProfile profile) {
    return switch (added) {
      case ADDED, KNOWN -> Optional.empty();
      case CONTRADICTORY ->
          Optional.of(
              new ProfileAnswer.Contradicted(
                  String.format(
                      Locale.ROOT,
                      "version %d of profile %s is another file already: raise the version",
                      profile.version().number(),
                      profile.name())));
      case TOO_MANY ->
          Optional.of(
              new ProfileAnswer.Contradicted(
                  String.format(
                      Locale.ROOT,
                      "there are %d versions of this profile, or %d of all, and no more may be",
                      VersionStore.VERSIONS_MAX_PER_PROFILE,
                      VersionStore.VERSIONS_MAX)));
    };
  }

  private CertificateProfile validated(byte[] content) {
    CertificateProfile profile = rules.validated(content);
    if (!active.test(profile.issuer())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "profile %s: issuer %s issues no longer",
              profile.name(),
              profile.issuer()));
    }
    return profile;
  }

  /**
   * Judges a wish, and does nothing.
   *
   * @param version a stored one; empty for each node's file again
   * @param replaces the activation that the requester has seen; empty for whichever there is
   */
  public ProfileAnswer judge(
      ProfileName name, OptionalInt version, OptionalLong replaces, RequesterId by) {
    if (!rules.isOpen()) {
      return CLOSED;
    }
    Optional<Activation> current = activations.current(name);
    if (version.isPresent()) {
      Optional<StoredVersion> stored = store.find(name, version.getAsInt());
      if (stored.isEmpty()) {
        return new ProfileAnswer.Unknown(
            String.format(
                Locale.ROOT, "no version %d of profile %s is stored", version.getAsInt(), name));
      }
      try {
        CertificateProfile profile = validated(stored.get().content().octets());
        if (!profile.name().equals(name) || profile.version().number() != version.getAsInt()) {
          return new ProfileAnswer.Invalid("it is stored under another name or version");
        }
      } catch (IllegalArgumentException e) {
        return new ProfileAnswer.Invalid(String.valueOf(e.getMessage()));
      }
    } else if (current.isEmpty()) {
      return new ProfileAnswer.Unknown("no version of profile " + name + " was activated");
    }
    long number = current.map(Activation::number).orElse(Activation.NONE);
    if (replaces.isPresent() && replaces.getAsLong() != number) {
      return overtaken(name, number);
    }
    if (current.isPresent() && current.get().version().equals(version)) {
      return new ProfileAnswer.InForce(current.get());
    }
    return new ProfileAnswer.Ready(new ActivationWish<>(name, version, number, by));
  }

  /** Does what {@link #judge} found nothing against, unless another was faster. */
  public ProfileAnswer activate(ActivationWish<ProfileName> wish) {
    return activate(wish, Optional.empty());
  }

  /**
   * Does what a second person has approved, once, however often it is asked.
   *
   * @param approval distinguishes a repeat from another, identical wish
   */
  public ProfileAnswer activateApproved(ActivationWish<ProfileName> wish, UUID approval) {
    Optional<Activation> made = activations.approved(approval);
    if (made.isPresent()) {
      return new ProfileAnswer.InForce(made.get());
    }
    ProfileAnswer answer =
        judge(wish.name(), wish.version(), OptionalLong.of(wish.replaces()), wish.by());
    if (answer instanceof ProfileAnswer.Ready(var ready)) {
      answer = activate(ready, Optional.of(approval));
    }
    // Another node may have been faster with the very same approval.
    return activations
        .approved(approval)
        .<ProfileAnswer>map(ProfileAnswer.InForce::new)
        .orElse(answer);
  }

  private ProfileAnswer activate(ActivationWish<ProfileName> wish, Optional<UUID> approval) {
    trail.recordDurably(
        new Fact(
            AuditKind.PROFILE_ACTIVATE,
            wish.by().value(),
            Map.of(
                "profile", wish.name().value(),
                "version", wish.version().isPresent() ? wish.version().getAsInt() : "file",
                "replaces", wish.replaces())));
    Optional<Activation> made =
        activations.activate(wish.name(), wish.version(), wish.replaces(), wish.by(), approval);
    if (made.isEmpty()) {
      return overtaken(
          wish.name(),
          activations.current(wish.name()).map(Activation::number).orElse(Activation.NONE));
    }
    versions.wake();
    return new ProfileAnswer.InForce(made.get());
  }

  private static ProfileAnswer overtaken(ProfileName name, long number) {
    return new ProfileAnswer.Contradicted(
        String.format(
            Locale.ROOT,
            "activation %d of profile %s came before: look what it is, and ask again",
            number,
            name));
  }
}
