package org.sluiceca.load.sizing.given;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Options;

/** The HSM that options describe. */
public final class HsmOptions {

  private static final Pattern LINE = Pattern.compile("token (\\S+): (\\d{1,4}) jobs at once,(.*)");
  private static final Pattern KIND = Pattern.compile("([a-z0-9_]+)/(\\d{3,5}) ([0-9.]{1,12}) ms");

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
      return Optional.of(calibrated(read(options.path("--calibration"))));
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

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new InputException("cannot read " + file);
    }
  }

  /**
   * Returns the token that this text describes, which {@code ./sluice ceremony calibrate} printed,
   * such as {@code token issuing: 4 jobs at once, ecdsa_sha256/256 21.1 ms}.
   *
   * @throws InputException if it describes none
   */
  static Hsm calibrated(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.find()) {
      throw new InputException("no line like 'token issuing: 4 jobs at once, …' there");
    }
    int engines = Integer.parseInt(line.group(2));
    // Of groups of engines apart the first is planned with: each kind has its rate by its own
    // engines.
    Map<KeyKind, Double> rates = new EnumMap<>(KeyKind.class);
    int of = engines;
    for (String part : line.group(3).split(";", -1)) {
      Matcher apart = Pattern.compile("(\\d{1,4}) jobs at once").matcher(part);
      of = apart.find() ? Integer.parseInt(apart.group(1)) : of;
      Matcher kind = KIND.matcher(part);
      while (kind.find()) {
        rates.put(
            kindOf(kind.group(1), kind.group(2)), of * 1_000 / Double.parseDouble(kind.group(3)));
      }
    }
    return new Hsm(line.group(1), rates, engines, "measured by ./sluice ceremony calibrate");
  }

  private static KeyKind kindOf(String mechanism, String bits) {
    if (mechanism.startsWith("rsa")) {
      return KeyKind.of("rsa-" + bits);
    }
    return mechanism.startsWith("ecdsa") ? KeyKind.of("ec-p" + bits) : KeyKind.ED25519;
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
