package org.sluiceca.api.cli.check;

import java.nio.file.Path;
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
import picocli.CommandLine.Option;

/**
 * The issuers that a profile may name, as far as this machine knows without a database: by the rule
 * by which a node accepts a profile over the network, those of the profiles in use.
 */
final class KnownIssuers {

  /** The options that say which profiles are in use. */
  static final class Options {

    @Option(
        names = "--profiles",
        defaultValue = "${env:SLUICE_PROFILES:-" + ProfileFiles.CLASSPATH + "}",
        description =
            "The folder of the profiles in use (SLUICE_PROFILES); without it the shipped ones.")
    @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
    private String profiles;

    @Option(
        names = "--issuer",
        description = "An issuer that no profile in use names yet; may be repeated.")
    private List<String> issuers = List.of();

    /** Reads the profiles in use. */
    ProfileCatalog profiles() {
      return ProfileFiles.read(profiles);
    }

    /** Returns the issuers of the profiles in use, and those that the command line adds. */
    KnownIssuers issuers() {
      return new KnownIssuers(profiles(), issuers);
    }
  }

  private final Set<String> forEnrollment = new TreeSet<>();
  private final Set<String> all = new TreeSet<>();

  /** Those of {@code catalog}, and {@code others}, which it does not name. */
  private KnownIssuers(ProfileCatalog catalog, Collection<String> others) {
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

  /**
   * Refuses a profile whose issuer is not known.
   *
   * @throws IllegalArgumentException with one line that names the file
   */
  void require(Path file, CertificateProfile profile) {
    fault(profile)
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException("profile " + file + ": " + fault);
            });
  }

  private Optional<String> fault(CertificateProfile profile) {
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
