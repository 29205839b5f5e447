package org.sluiceca.core.profile;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sluiceca.core.request.ProfileName;

/** The profiles of this CA, by name. Immutable. */
public final class ProfileCatalog {

  private final Map<String, CertificateProfile> byName = new TreeMap<>();

  /**
   * Collects the profiles.
   *
   * @throws IllegalArgumentException if two have one name
   */
  public ProfileCatalog(Collection<CertificateProfile> profiles) {
    for (CertificateProfile profile : profiles) {
      if (byName.put(profile.name().value(), profile) != null) {
        throw new IllegalArgumentException("two profiles named " + profile.name());
      }
    }
  }

  /** Returns the profile with this name. */
  public Optional<CertificateProfile> find(ProfileName name) {
    return Optional.ofNullable(byName.get(name.value()));
  }

  /** Returns all profiles in the order of their names. */
  public Collection<CertificateProfile> all() {
    return Collections.unmodifiableCollection(byName.values());
  }
}
