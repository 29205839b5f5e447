package org.sluiceca.api.acme.endpoint;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/**
 * An endpoint of ACME.
 *
 * @param statedVersion the version that its file states; empty if the file states none
 * @param profiles under which it issues; the first one where an order names none
 * @param owner whose share its accounts use; empty if each needs an external account binding, which
 *     has an owner
 * @param allowsAnyName whether bindings may cover every DNS name, as a trial's does
 * @param proofs how names are proven that no binding covers; empty if they are refused
 */
public record AcmeEndpoint(
    EndpointName name,
    OptionalInt statedVersion,
    List<ProfileName> profiles,
    Optional<RequesterId> owner,
    boolean allowsAnyName,
    Optional<Proofs> proofs) {

  private static final int PROFILES_MAX = 100;

  /** What a file is that states no version. */
  private static final int UNSTATED = 1;

  /** Refuses none and too many profiles, and that anyone may have any name. */
  public AcmeEndpoint {
    profiles = List.copyOf(profiles);
    if (profiles.isEmpty() || profiles.size() > PROFILES_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "an endpoint has 1 to %d profiles, not %d",
              PROFILES_MAX,
              profiles.size()));
    }
    if (owner.isPresent() && proofs.isEmpty()) {
      throw new IllegalArgumentException(
          "external-account-binding must be required where there are no challenges: else anyone"
              + " would get a certificate for any name");
    }
  }

  /** Returns the version of its file: what the file states, or 1. */
  public int version() {
    return statedVersion.orElse(UNSTATED);
  }

  /** Returns the profile that an order names, or the endpoint's own; empty if it is none of it. */
  public Optional<ProfileName> profile(@Nullable String wanted) {
    return wanted == null
        ? Optional.of(profiles.getFirst())
        : profiles.stream().filter(profile -> profile.value().equals(wanted)).findFirst();
  }
}
