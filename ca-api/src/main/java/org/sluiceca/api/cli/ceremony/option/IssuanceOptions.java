package org.sluiceca.api.cli.ceremony.option;

import org.sluiceca.api.issuer.ActiveIssuers.PublicSide;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.core.profile.ProfileCatalog;
import picocli.CommandLine.Option;

/** What the certificates of a ceremony say, next to their keys and names. */
public final class IssuanceOptions {

  @Option(names = "--public-url", defaultValue = "http://localhost:8080")
  @SuppressWarnings("NullAway.Init") // picocli sets it: it has a default.
  private String publicUrl;

  @Option(
      names = "--profiles",
      defaultValue = ProfileFiles.CLASSPATH,
      description = "The folder of profile files; without it the shipped ones.")
  @SuppressWarnings("NullAway.Init")
  private String profiles;

  /** Returns where relying parties find CRLs and issuer certificates. */
  public PublicSide publicSide() {
    return PublicSide.at(publicUrl);
  }

  /** Reads the profiles. */
  public ProfileCatalog profiles() {
    return ProfileFiles.read(profiles);
  }
}
