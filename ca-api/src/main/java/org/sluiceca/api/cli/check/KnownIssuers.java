package org.sluiceca.api.cli.check;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.syntax.Spelling;

/**
 * The issuers that a profile may name, as far as this machine knows without a database: by the rule
 * by which a node accepts a profile over the network, those of the profiles in use.
 */
final class KnownIssuers {

  private final Set<String> forEnrollment = new TreeSet<>();
  private final Set<String> all = new TreeSet<>();

  /**
   * Reads the profiles in use.
   *
   * @param profiles their folder, or {@link ProfileFiles#CLASSPATH}
   * @param others names of issuers that none of them names yet
   */
  KnownIssuers(String profiles, Collection<String> others) {
    ProfileCatalog catalog = ProfileFiles.read(profiles);
    for (CertificateProfile profile : catalog.all()) {
      all.add(profile.issuer().value());
      if (profile.use() == Use.ENROLLMENT) {
        forEnrollment.add(profile.issuer().value());
      }
    }
    for (CertificateProfile profile : catalog.versions()) {
      if (profile.use() == Use.CEREMONY && profile.content().extensions().isCa()) {
        forEnrollment.remove(profile.issuer().value());
      }
    }
    forEnrollment.addAll(others);
    all.addAll(others);
  }

  /** Returns why {@code profile} cannot issue: one line, or empty if its issuer is known. */
  Optional<String> fault(CertificateProfile profile) {
    Set<String> known = profile.use() == Use.ENROLLMENT ? forEnrollment : all;
    String issuer = profile.issuer().value();
    return known.contains(issuer)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "no profile in use %s under issuer %s: %s; --issuer names an issuer that is new",
                profile.use() == Use.ENROLLMENT ? "enrolls" : "issues",
                issuer,
                Spelling.hint(issuer, List.copyOf(known))));
  }
}
