package org.sluiceca.api.profile.version;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.x509.IssuerName;

/** Which issuers a version may name on this node. */
public final class VersionIssuers {

  private VersionIssuers() {}

  /**
   * Returns the active issuers that profiles for enrollment of this node's files name, so that
   * their keys are here (a node does not start if one is missing). A root is not among them,
   * whichever profile names it, nor an issuer of CA certificates: over the network no requester is
   * given what only the ceremony decides.
   *
   * @param files what this node has read at its start
   * @param registered what the ceremony has installed
   */
  public static Set<IssuerName> of(ProfileCatalog files, Collection<RegisteredIssuer> registered) {
    Set<IssuerName> named = new HashSet<>();
    for (CertificateProfile file : files.all()) {
      if (file.use() == Use.ENROLLMENT) {
        named.add(file.issuer());
      }
    }
    for (CertificateProfile file : files.versions()) {
      if (file.use() == Use.CEREMONY && file.content().extensions().isCa()) {
        named.remove(file.issuer());
      }
    }
    return registered.stream()
        .filter(row -> row.state() == State.ACTIVE && !row.chain().isEmpty())
        .map(RegisteredIssuer::name)
        .filter(named::contains)
        .collect(Collectors.toUnmodifiableSet());
  }
}
