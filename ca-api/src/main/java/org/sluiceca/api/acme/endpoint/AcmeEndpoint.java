package org.sluiceca.api.acme.endpoint;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.ProfileName;

/**
 * An endpoint of ACME. Accounts need an external account binding, and orders within its name space
 * need no challenge.
 *
 * @param profiles under which it issues; the first one where an order names none
 * @param allowsAnyName whether bindings may cover every DNS name, as a trial's does
 */
public record AcmeEndpoint(EndpointName name, List<ProfileName> profiles, boolean allowsAnyName) {

  private static final int PROFILES_MAX = 100;

  /** Refuses none and too many profiles. */
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
  }

  /** Returns the profile that an order names, or the endpoint's own; empty if it is none of it. */
  public Optional<ProfileName> profile(@Nullable String wanted) {
    return wanted == null
        ? Optional.of(profiles.getFirst())
        : profiles.stream().filter(profile -> profile.value().equals(wanted)).findFirst();
  }
}
