package org.sluiceca.load.renewals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A herd in compressed time: a life of minutes stands for one of weeks, and all is in proportion.
 *
 * @param certificates of each of the two herds, 1 or more
 * @param life of a certificate, 2 minutes or more: clients ask once a minute at most
 * @param nodes that the clients ask, each one of them
 */
public record HerdTerms(int certificates, Duration life, int nodes) {

  /** The profile that is shortened. */
  static final String PROFILE = "short-lived";

  /** Parts of the time over which windows are spread, as a day has hours. */
  static final int SLICES = 24;

  /** The windows of usual load are spread over a third of the life. */
  private static final int SPREADS_PER_LIFE = 3;

  /** Returns what stands for an hour. */
  Duration slice() {
    return life.dividedBy(SPREADS_PER_LIFE * SLICES);
  }

  /** Returns how many certificates a second are issued, so that the herd is one of an hour. */
  double perSecond() {
    return certificates / (slice().toMillis() / 1000.0);
  }

  /**
   * Writes a folder of profiles: the shipped ones, of which one is as short as the herd's.
   *
   * @param shipped their folder
   * @param folder in which it is made
   */
  public Path profiles(Path shipped, Path folder) throws IOException {
    Path profiles = Files.createDirectory(folder.resolve("profiles"));
    try (Stream<Path> files = Files.list(shipped)) {
      for (Path file : files.toList()) {
        String text = Files.readString(file);
        if (file.getFileName().toString().equals(PROFILE + ".yaml")) {
          text =
              text.replaceFirst(
                  "(?m)^validity: .*$",
                  "validity: {duration: PT"
                      + life.toSeconds()
                      + "S, backdate: PT0S, clampToIssuer: true}");
        }
        Path ignored = Files.writeString(profiles.resolve(file.getFileName()), text);
      }
    }
    return profiles;
  }

  /** Writes the endpoint of the trial's binding, for that profile, before the trial does. */
  public static void endpoint(Path data) throws IOException {
    Path endpoints = Files.createDirectories(data.resolve("endpoints"));
    Path ignored =
        Files.writeString(
            endpoints.resolve("trial.yaml"),
            "name: trial\nprotocol: acme\nprofiles: ["
                + PROFILE
                + "]\nexternal-account-binding: required\nany-name: true\n");
  }
}
