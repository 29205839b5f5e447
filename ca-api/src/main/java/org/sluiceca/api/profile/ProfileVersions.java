package org.sluiceca.api.profile;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.profile.store.ProfileStore;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;

/** Holds every profile's content to the version that its file states, over restarts and nodes. */
public final class ProfileVersions {

  private static final Logger LOG = LoggerFactory.getLogger(ProfileVersions.class);

  private ProfileVersions() {}

  /**
   * Records what this node is going to issue under.
   *
   * @throws IllegalArgumentException if a stated version had other content before
   */
  public static void record(ProfileCatalog profiles, ProfileStore store) {
    for (CertificateProfile profile : profiles.versions()) {
      switch (store.record(profile)) {
        case KNOWN -> {}
        case CHANGED ->
            LOG.warn(
                "profile {} has changed; give its file a version to have that noticed everywhere",
                profile.name());
        case CONTRADICTORY ->
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "profile %s: its content is not what version %d was before: raise its version",
                    profile.name(),
                    profile.version().number()));
      }
    }
  }
}
