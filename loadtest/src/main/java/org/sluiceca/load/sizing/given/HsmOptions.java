package org.sluiceca.load.sizing.given;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Options;

/** The HSM that options describe. */
public final class HsmOptions {

  private HsmOptions() {}

  /**
   * Returns the HSM that {@code --calibration}, {@code --hsm-rate} or {@code --hsm} describes;
   * empty if none of them is there.
   *
   * @throws InputException if it is described twice, or wrongly
   */
  public static Optional<Hsm> hsm(Options options) {
    if (Stream.of("--calibration", "--hsm-rate", "--hsm")
            .filter(name -> options.find(name).isPresent())
            .count()
        > 1) {
      throw new InputException("--calibration, --hsm-rate and --hsm say the same: one of them");
    }
    if (options.find("--calibration").isPresent()) {
      if (options.find("--hsm-engines").isPresent()) {
        throw new InputException("--hsm-engines: a calibration says itself how many there are");
      }
      return Optional.of(calibrated(options.text("--calibration", "")));
    }
    if (options.find("--hsm").isPresent()) {
      return Optional.of(
          GivenFiles.model(
              Path.of(options.text("--hsm-models", "")),
              options.text("--hsm", ""),
              options.findWhole("--hsm-engines")));
    }
    return options.find("--hsm-rate").isPresent() ? Optional.of(rated(options)) : Optional.empty();
  }

  private static Hsm calibrated(String file) {
    try {
      return Calibration.read(Files.readString(Path.of(file)));
    } catch (IOException e) {
      throw new InputException("cannot read " + file);
    }
  }

  private static Hsm rated(Options options) {
    Map<KeyKind, Double> perSecond = new EnumMap<>(KeyKind.class);
    for (String rate : options.text("--hsm-rate").split(",", -1)) {
      String[] parts = rate.split("=", 2);
      try {
        KeyKind kind = KeyKind.of(parts[0].strip());
        if (perSecond.put(kind, Double.parseDouble(parts[parts.length - 1].strip())) != null) {
          throw new InputException("--hsm-rate says two rates of " + kind.text());
        }
      } catch (NumberFormatException e) {
        throw new InputException("--hsm-rate is KIND=NUMBER,KIND=NUMBER, not '" + rate + "'");
      }
    }
    return new Hsm(
        "the HSM", perSecond, options.findWhole("--hsm-engines").orElse(1), "by --hsm-rate");
  }
}
