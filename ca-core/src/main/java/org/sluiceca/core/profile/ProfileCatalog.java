package org.sluiceca.core.profile;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.sluiceca.core.request.ProfileName;

/**
 * The profiles of this CA, by name and version: one version of each may issue, the others are kept
 * for intents that were recorded under them. Which one issues may change while the node runs, for
 * all names at once: who has found a profile keeps what was found. Thread-safe.
 */
public final class ProfileCatalog {

  /** Replaced whole, never changed. */
  private volatile Known versions;

  private record Known(
      NavigableMap<String, NavigableMap<Integer, CertificateProfile>> byName,
      NavigableMap<String, CertificateProfile> current,
      Map<String, String> unavailable) {}

  /**
   * Collects the profiles; the highest version of each name issues.
   *
   * @throws IllegalArgumentException if two have one name and one version
   */
  public ProfileCatalog(Collection<CertificateProfile> profiles) {
    NavigableMap<String, NavigableMap<Integer, CertificateProfile>> byName = byName(profiles);
    NavigableMap<String, CertificateProfile> current = new TreeMap<>();
    byName.forEach((name, versions) -> current.put(name, versions.lastEntry().getValue()));
    this.versions = new Known(byName, current, Map.of());
  }

  /**
   * Replaces what is here by other versions, at once for everybody who asks from now on.
   *
   * @param profiles every version of every profile, those that issue among them
   * @param issuing at most one of each name
   * @param unavailable why a profile that clients may ask for cannot be used on this node, by name;
   *     none of them is among {@code issuing}
   * @throws IllegalArgumentException if two have one name and one version, two of one name are to
   *     issue, or one is to issue that is not among {@code profiles} or is unavailable; nothing is
   *     changed
   */
  public void replace(
      Collection<CertificateProfile> profiles,
      Collection<CertificateProfile> issuing,
      Map<String, String> unavailable) {
    NavigableMap<String, NavigableMap<Integer, CertificateProfile>> byName = byName(profiles);
    NavigableMap<String, CertificateProfile> current = new TreeMap<>();
    for (CertificateProfile profile : issuing) {
      String name = profile.name().value();
      NavigableMap<Integer, CertificateProfile> versions = byName.get(name);
      if (versions == null || !profile.equals(versions.get(profile.version().number()))) {
        throw new IllegalArgumentException("an unknown version of profile " + name);
      }
      if (current.put(name, profile) != null || unavailable.containsKey(name)) {
        throw new IllegalArgumentException("two profiles named " + name + " are to issue");
      }
    }
    this.versions = new Known(byName, current, Map.copyOf(unavailable));
  }

  private static NavigableMap<String, NavigableMap<Integer, CertificateProfile>> byName(
      Collection<CertificateProfile> profiles) {
    NavigableMap<String, NavigableMap<Integer, CertificateProfile>> byName = new TreeMap<>();
    for (CertificateProfile profile : profiles) {
      String name = profile.name().value();
      if (byName
              .computeIfAbsent(name, n -> new TreeMap<>())
              .put(profile.version().number(), profile)
          != null) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "two profiles named %s of version %d",
                name,
                profile.version().number()));
      }
    }
    return byName;
  }

  /** Returns the profile with this name that issues. */
  public Optional<CertificateProfile> find(ProfileName name) {
    return Optional.ofNullable(versions.current().get(name.value()));
  }

  /**
   * Returns why the active version of this profile cannot be used on this node, in one line for
   * operators; empty if it can, or if there is no such profile.
   */
  public Optional<String> unavailable(ProfileName name) {
    return Optional.ofNullable(versions.unavailable().get(name.value()));
  }

  /** Returns this version of the profile, whether it still issues or not. */
  public Optional<CertificateProfile> find(ProfileName name, int version) {
    return Optional.ofNullable(versions.byName().get(name.value()))
        .map(versions -> versions.get(version));
  }

  /** Returns all profiles that issue, in the order of their names. */
  public Collection<CertificateProfile> all() {
    return Collections.unmodifiableCollection(versions.current().values());
  }

  /** Returns every version of every profile. */
  public List<CertificateProfile> versions() {
    return versions.byName().values().stream().flatMap(e -> e.values().stream()).toList();
  }
}
