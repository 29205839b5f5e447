package org.sluiceca.api.profile.version;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.sluiceca.api.platform.tls.NodeTls;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.ResponderProfile;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.IssuerName;

/**
 * The rules that a version must meet, beyond being a good profile file, to issue on this node: no
 * requester gets a ceremony's power, or an issuer that this node's files do not use, over the
 * network or the database. Thread-safe.
 */
public final class VersionRules {

  private final ProfileCatalog files;
  private final Predicate<IssuerName> allowed;
  private final boolean isOpen;

  /**
   * Judges by this node's own files.
   *
   * @param files what this node has read at its start; never changed
   * @param allowed whether a version may name an issuer ({@link VersionIssuers}); must not block
   * @param isOpen whether this node takes profiles from anywhere else
   */
  public VersionRules(ProfileCatalog files, Predicate<IssuerName> allowed, boolean isOpen) {
    this.files = files;
    this.allowed = allowed;
    this.isOpen = isOpen;
  }

  /** Whether anything but files counts here. */
  public boolean isOpen() {
    return isOpen;
  }

  /** Returns what this node has read at its start: never what was activated. */
  public ProfileCatalog files() {
    return files;
  }

  /**
   * Reads a version and judges it.
   *
   * @throws IllegalArgumentException with one line that names the fault
   */
  public CertificateProfile validated(byte[] content) {
    if (content.length > ProfileFiles.FILE_BYTES_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "profile: %d bytes, allowed %d",
              content.length,
              ProfileFiles.FILE_BYTES_MAX));
    }
    CertificateProfile profile = ProfileFiles.parse("file", content);
    fault(profile)
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException(
                  String.format(
                      Locale.ROOT,
                      "profile %s version %d: %s",
                      profile.name(),
                      profile.version().number(),
                      fault));
            });
    return profile;
  }

  private Optional<String> fault(CertificateProfile profile) {
    // A file that states none is version 1, and may change under it.
    if (!profile.version().isStated() || profile.version().number() < 2) {
      return Optional.of("it must state its version, 2 or higher");
    }
    if (profile.use() != Use.ENROLLMENT) {
      return Optional.of("a profile for the ceremony comes by file only");
    }
    if (!allowed.test(profile.issuer())) {
      return Optional.of(
          "issuer "
              + profile.issuer()
              + " is not one that a profile file of this node enrolls under, or not active, or for the"
              + " ceremony only");
    }
    return nameFault(profile).or(() -> contradiction(profile));
  }

  /** A version must not undermine what a file of this node says under the same name. */
  private Optional<String> nameFault(CertificateProfile profile) {
    ProfileName name = profile.name();
    Optional<CertificateProfile> own = files.find(name);
    if (name.equals(ResponderProfile.NAME)
        || own.filter(p -> p.use() != Use.ENROLLMENT).isPresent()) {
      return Optional.of("this name belongs to the ceremony");
    }
    // The node's own identity, and the certificates that it trusts, were made from that issuer at
    // its start.
    if (NodeTls.NODE.profiles().contains(name)
        && own.filter(p -> !p.issuer().equals(profile.issuer())).isPresent()) {
      return Optional.of("nodes enroll under it themselves: another issuer comes by file only");
    }
    return Optional.empty();
  }

  private Optional<String> contradiction(CertificateProfile profile) {
    return files
        .find(profile.name(), profile.version().number())
        .filter(own -> !own.version().digest().equals(profile.version().digest()))
        .map(own -> "this node's file of that version has other content");
  }
}
