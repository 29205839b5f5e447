package org.sluiceca.api.profile.edition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sluiceca.api.ledger.profile.Activation;
import org.sluiceca.api.ledger.profile.EditionStore.History;
import org.sluiceca.api.ledger.profile.StoredEdition;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;

/**
 * What this node makes of everything that was activated: a function of its files and the rows, so
 * that a restart changes nothing. The newest activation of a name counts; one that this node must
 * refuse leaves the one before it in force, and at last the file.
 *
 * @param profiles every version that an intent may have been planned under
 * @param issuing one of each name
 * @param taken the activations in force, by profile; none for a file that nothing was ever
 *     activated over
 * @param refused why the newest activation of a profile is not in force, by profile
 */
record Resolution(
    List<CertificateProfile> profiles,
    List<CertificateProfile> issuing,
    SortedMap<String, Activation> taken,
    SortedMap<String, String> refused) {

  /** Decides what is in force. */
  static Resolution of(EditionRules rules, History history) {
    Editions editions = new Editions(rules, history.editions());
    Map<ProfileName, List<Activation>> byName = new HashMap<>();
    history
        .activations()
        .forEach(a -> byName.computeIfAbsent(a.name(), n -> new ArrayList<>()).addFirst(a));

    SortedMap<String, CertificateProfile> issuing = new TreeMap<>();
    rules.files().all().forEach(file -> issuing.put(file.name().value(), file));
    SortedMap<String, Activation> taken = new TreeMap<>();
    SortedMap<String, String> refused = new TreeMap<>();
    byName.forEach(
        (name, newestFirst) -> {
          for (Activation activation : newestFirst) {
            OptionalInt version = activation.version();
            Optional<CertificateProfile> edition =
                version.isPresent() ? editions.find(name, version.getAsInt()) : Optional.empty();
            if (version.isPresent() && edition.isEmpty()) {
              refused.putIfAbsent(name.value(), editions.fault(name, version.getAsInt()));
              continue;
            }
            edition.ifPresent(e -> issuing.put(name.value(), e));
            taken.put(name.value(), activation);
            return;
          }
        });
    return new Resolution(
        editions.with(rules.files()), List.copyOf(issuing.values()), taken, refused);
  }

  /** Those that are good, and what is wrong with the others. */
  private static final class Editions {

    private record Key(ProfileName name, int version) {}

    private final Map<Key, CertificateProfile> good = new HashMap<>();
    private final Map<Key, String> faults = new HashMap<>();

    Editions(EditionRules rules, List<StoredEdition> stored) {
      for (StoredEdition edition : stored) {
        Key key = new Key(edition.name(), edition.version());
        try {
          CertificateProfile profile = rules.validated(edition.content().octets());
          if (profile.name().equals(key.name) && profile.version().number() == key.version) {
            good.put(key, profile);
          } else {
            faults.put(key, "it is stored under another name or version than it states");
          }
        } catch (IllegalArgumentException e) {
          faults.put(key, String.valueOf(e.getMessage()));
        }
      }
    }

    Optional<CertificateProfile> find(ProfileName name, int version) {
      return Optional.ofNullable(good.get(new Key(name, version)));
    }

    String fault(ProfileName name, int version) {
      return faults.getOrDefault(
          new Key(name, version), "version %d is not stored".formatted(version));
    }

    /** A file of the same version has the same content; which one is kept matters for its lane. */
    List<CertificateProfile> with(ProfileCatalog files) {
      List<CertificateProfile> all = new ArrayList<>(good.values());
      for (CertificateProfile file : files.editions()) {
        if (!good.containsKey(new Key(file.name(), file.version().number()))) {
          all.add(file);
        }
      }
      return all;
    }
  }
}
