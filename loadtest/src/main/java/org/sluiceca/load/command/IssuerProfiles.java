package org.sluiceca.load.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.plan.NodePlan;
import org.sluiceca.load.plan.Offer;

/** What a trial needs to have more issuers than one. */
final class IssuerProfiles {

  private IssuerProfiles() {}

  /** Returns the value of {@code ./sluice up --more-issuers}. */
  static String upOption(List<NodePlan.Issuer> issuers) {
    return issuers.stream()
        .map(issuer -> issuer.name() + "=" + issuer.key())
        .collect(Collectors.joining(","));
  }

  /**
   * Writes a folder of profiles: the shipped ones, and for each issuer one of its name that is the
   * profile of the first one in all else.
   *
   * @param shipped their folder
   * @param folder in which it is made
   */
  static Path write(Path shipped, Path folder, List<NodePlan.Issuer> issuers) throws IOException {
    Path profiles = Files.createDirectory(folder.resolve("profiles"));
    try (Stream<Path> files = Files.list(shipped)) {
      for (Path file : files.toList()) {
        Path ignored = Files.copy(file, profiles.resolve(shipped.relativize(file)));
      }
    }
    String model = Files.readString(shipped.resolve(Offer.PROFILE + ".yaml"));
    for (NodePlan.Issuer issuer : issuers) {
      Path file = profiles.resolve(issuer.name() + ".yaml");
      if (Files.exists(file)) {
        throw new InputException("an issuer cannot be called as a profile: " + issuer.name());
      }
      Path ignored = Files.writeString(file, with(with(model, "name", issuer), "issuer", issuer));
    }
    return profiles;
  }

  private static String with(String profile, String key, NodePlan.Issuer issuer) {
    String changed = profile.replaceFirst("(?m)^" + key + ": .*$", key + ": " + issuer.name());
    if (changed.equals(profile)) {
      throw new InputException("the profile " + Offer.PROFILE + " has no " + key);
    }
    return changed;
  }
}
