package org.sluiceca.api.auth.oidc;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The identity providers whose access tokens count, as they are configured under {@code
 * sluice.oidc}; the same on every node.
 *
 * @param providers none for none
 */
public record OidcSettings(@DefaultValue List<OidcProvider> providers) {

  private static final int PROVIDERS_MAX = 8;

  /** Refuses providers between which names would be ambiguous. */
  public OidcSettings {
    providers = List.copyOf(providers);
    if (providers.size() > PROVIDERS_MAX) {
      throw new IllegalArgumentException(
          "sluice.oidc.providers has "
              + providers.size()
              + " elements; set it to 0 to "
              + PROVIDERS_MAX);
    }
    Set<String> issuers = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (OidcProvider provider : providers) {
      if (!issuers.add(provider.issuer()) || !names.add(provider.name())) {
        throw new IllegalArgumentException(
            "sluice.oidc.providers names " + provider.name() + " or its issuer twice");
      }
      for (OidcProvider other : providers) {
        if (!other.equals(provider)
            && other.requesterPrefix().startsWith(provider.requesterPrefix())) {
          throw new IllegalArgumentException(
              "sluice.oidc.providers: the requester-prefix of "
                  + other.name()
                  + " begins with that of "
                  + provider.name()
                  + ", so that one requester could be a user of either; choose others");
        }
      }
    }
  }
}
