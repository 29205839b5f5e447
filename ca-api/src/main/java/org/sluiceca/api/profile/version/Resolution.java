package org.sluiceca.api.profile.version;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.IssuerName;

/**
 * This node's view of everything that was activated: a function of its files and the rows, so that
 * a restart changes nothing. The newest activation of a name counts; under an activation that this
 * node must refuse it issues nothing, because a version that was replaced on purpose must not issue
 * unnoticed; nor does it issue under a profile that names a retired issuer.
 *
 * @param profiles every version that an intent may have been planned under
 * @param issuing one of each name
 * @param taken the activations in force, by profile; none for a file that nothing was ever
 *     activated over
 * @param refused why the newest activation of a profile, or its file, is not in force and nothing
 *     issues under its name, by profile
 * @param unavailable those of them that other nodes may issue by: their issuer is not retired
 */
record Resolution(
    List<CertificateProfile> profiles,
    List<CertificateProfile> issuing,
    SortedMap<String, Activation> taken,
    SortedMap<String, String> refused,
    SortedMap<String, String> unavailable) {

  /**
   * Decides what is in force.
   *
   * @param files this node's own
   * @param activations in the order in which they were made
   * @param judged each version that was ever activated, as this node sees it
   * @param inForce the versions that issue here already: whatever became of their rows, they stay
   *     what they were judged to be
   * @param retired the issuers under which nothing is issued any more, whichever profiles name them
   */
  static Resolution of(
      ProfileCatalog files,
      List<Activation> activations,
      Collection<JudgedVersions.Judged> judged,
      Collection<CertificateProfile> inForce,
      Set<IssuerName> retired) {
    Versions versions = new Versions(judged, inForce);
    // In the order of their numbers: the newest is put last.
    Map<ProfileName, Activation> newest = new HashMap<>();
    activations.forEach(a -> newest.put(a.name(), a));

    SortedMap<String, CertificateProfile> issuing = new TreeMap<>();
    files.all().forEach(file -> issuing.put(file.name().value(), file));
    SortedMap<String, Activation> taken = new TreeMap<>();
    SortedMap<String, String> refused = new TreeMap<>();
    newest.forEach(
        (name, activation) -> {
          OptionalInt version = activation.version();
          if (version.isPresent()) {
            Optional<CertificateProfile> profile = versions.find(name, version.getAsInt());
            if (profile.isEmpty()) {
              issuing.remove(name.value());
              refused.put(name.value(), versions.fault(name, version.getAsInt()));
              return;
            }
            issuing.put(name.value(), profile.get());
          }
          taken.put(name.value(), activation);
        });
    SortedMap<String, String> unavailable = new TreeMap<>(refused);
    for (CertificateProfile profile : List.copyOf(issuing.values())) {
      if (profile.use() == Use.ENROLLMENT && retired.contains(profile.issuer())) {
        String name = profile.name().value();
        issuing.remove(name);
        taken.remove(name);
        refused.put(name, String.format(Locale.ROOT, "its issuer %s is retired", profile.issuer()));
      }
    }
    return new Resolution(
        versions.with(files), List.copyOf(issuing.values()), taken, refused, unavailable);
  }

  /** Those that are good, and what is wrong with the others. */
  private static final class Versions {

    private record Key(ProfileName name, int version) {}

    private final Map<Key, CertificateProfile> good = new HashMap<>();
    private final Map<Key, String> faults = new HashMap<>();

    Versions(Collection<JudgedVersions.Judged> judged, Collection<CertificateProfile> inForce) {
      for (JudgedVersions.Judged version : judged) {
        Key key = new Key(version.name(), version.version());
        version
            .profile()
            .ifPresentOrElse(
                profile -> good.put(key, profile), () -> faults.put(key, version.fault()));
      }
      inForce.forEach(p -> good.put(new Key(p.name(), p.version().number()), p));
    }

    Optional<CertificateProfile> find(ProfileName name, int version) {
      return Optional.ofNullable(good.get(new Key(name, version)));
    }

    String fault(ProfileName name, int version) {
      return faults.getOrDefault(
          new Key(name, version), String.format(Locale.ROOT, "version %d is not stored", version));
    }

    /** A file of the same version has the same content; which one is kept matters for its lane. */
    List<CertificateProfile> with(ProfileCatalog files) {
      List<CertificateProfile> all = new ArrayList<>(good.values());
      for (CertificateProfile file : files.versions()) {
        if (!good.containsKey(new Key(file.name(), file.version().number()))) {
          all.add(file);
        }
      }
      return all;
    }
  }
}
