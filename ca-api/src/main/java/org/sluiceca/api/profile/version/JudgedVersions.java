package org.sluiceca.api.profile.version;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.api.profile.store.VersionStore;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;

/**
 * This node's judgement of the versions that were ever activated: each is read and judged when its
 * name, version or content is seen for the first time, and the judgement is kept as long as it is
 * asked for. The rules do not change while a node runs, so neither do their results. Not
 * thread-safe: owned by the thread that resolves.
 */
final class JudgedVersions {

  private final VersionRules rules;
  private final Function<List<StoredVersion.Key>, List<StoredVersion>> reader;

  /** As many as there may be versions at most: those of the last call, and no file. */
  private Map<StoredVersion.Key, Judged> known = Map.of();

  /**
   * Judges by {@code rules}.
   *
   * @param reader returns versions as they are stored now; is asked for 64 at once at most, and may
   *     block
   */
  JudgedVersions(
      VersionRules rules, Function<List<StoredVersion.Key>, List<StoredVersion>> reader) {
    this.rules = rules;
    this.reader = reader;
  }

  /**
   * One version.
   *
   * @param profile empty if it may not issue here
   * @param fault why, in one line; empty if it may
   */
  record Judged(
      ProfileName name, int version, Optional<CertificateProfile> profile, String fault) {}

  /** Returns what there is to say of these, and forgets all others. */
  Collection<Judged> of(List<StoredVersion.Key> activated) {
    Map<StoredVersion.Key, Judged> all = new HashMap<>();
    List<StoredVersion.Key> unknown = new ArrayList<>();
    for (StoredVersion.Key key : activated) {
      Judged judged = known.get(key);
      if (judged == null) {
        unknown.add(key);
      } else {
        all.put(key, judged);
      }
    }
    for (int from = 0; from < unknown.size(); from += VersionStore.READ_MAX) {
      int to = Math.min(unknown.size(), from + VersionStore.READ_MAX);
      for (StoredVersion version : reader.apply(unknown.subList(from, to))) {
        byte[] content = version.content().octets();
        // Kept under what was read: if it is not what was asked for, the next pass reads it again.
        all.put(
            new StoredVersion.Key(version.name(), version.version(), Digest.sha256(content)),
            judge(version, content));
      }
    }
    known = Map.copyOf(all);
    return known.values();
  }

  private Judged judge(StoredVersion version, byte[] content) {
    try {
      CertificateProfile profile = rules.validated(content);
      return profile.name().equals(version.name())
              && profile.version().number() == version.version()
          ? new Judged(version.name(), version.version(), Optional.of(profile), "")
          : faulty(version, "it is stored under another name or version than it states");
    } catch (IllegalArgumentException e) {
      return faulty(version, String.valueOf(e.getMessage()));
    }
  }

  private static Judged faulty(StoredVersion version, String fault) {
    return new Judged(version.name(), version.version(), Optional.empty(), fault);
  }
}
