package org.sluiceca.core.profile;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.sluiceca.core.request.ProfileName;

/**
 * The profiles of this CA, by name and version: the highest version of each is the one that issues,
 * the others are kept for intents that were recorded under them. Immutable.
 */
public final class ProfileCatalog {

  private final Map<String, NavigableMap<Integer, CertificateProfile>> byName = new TreeMap<>();
  private final Map<String, CertificateProfile> current = new TreeMap<>();

  /**
   * Collects the profiles.
   *
   * @throws IllegalArgumentException if two have one name and one version
   */
  public ProfileCatalog(Collection<CertificateProfile> profiles) {
    for (CertificateProfile profile : profiles) {
      String name = profile.name().value();
      NavigableMap<Integer, CertificateProfile> editions =
          byName.computeIfAbsent(name, n -> new TreeMap<>());
      if (editions.put(profile.version().number(), profile) != null) {
        throw new IllegalArgumentException(
            "two profiles named %s of version %d".formatted(name, profile.version().number()));
      }
      current.put(name, editions.lastEntry().getValue());
    }
  }

  /** Returns the profile with this name that issues. */
  public Optional<CertificateProfile> find(ProfileName name) {
    return Optional.ofNullable(current.get(name.value()));
  }

  /** Returns this version of the profile, whether it still issues or not. */
  public Optional<CertificateProfile> find(ProfileName name, int version) {
    return Optional.ofNullable(byName.get(name.value())).map(editions -> editions.get(version));
  }

  /** Returns all profiles that issue, in the order of their names. */
  public Collection<CertificateProfile> all() {
    return Collections.unmodifiableCollection(current.values());
  }

  /** Returns every version of every profile. */
  public List<CertificateProfile> editions() {
    return byName.values().stream().flatMap(e -> e.values().stream()).toList();
  }
}
