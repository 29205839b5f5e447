package org.sluiceca.load.sizing.given;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The options of a command, each with a value. */
public final class Options {

  private final Map<String, String> values;

  private Options(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /**
   * Reads {@code arguments}, a name and a value in turns.
   *
   * @throws SizingException if one is not {@code known}, or has no value
   */
  public static Options parse(Set<String> known, String... arguments) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!known.contains(arguments[i]) || i + 1 == arguments.length) {
        throw new SizingException("no option " + arguments[i] + " with a value");
      }
      values.put(arguments[i], arguments[i + 1]);
    }
    return new Options(values);
  }

  /** Returns the option's value, or {@code otherwise}. */
  public String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /**
   * Returns the option's value as a number, or {@code otherwise}.
   *
   * @throws SizingException if it is none
   */
  public int number(String name, int otherwise) {
    String text = values.get(name);
    try {
      return text == null ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new SizingException(name + " is to be a number, not '" + text + "'");
    }
  }

  /**
   * Returns the HSM that {@code --calibration}, {@code --hsm-rate} or {@code --hsm} describes;
   * empty if none of them is there.
   *
   * @throws SizingException if it is described twice, or wrongly
   */
  public Optional<Hsm> hsm() {
    long told =
        values.keySet().stream()
            .filter(Set.of("--calibration", "--hsm-rate", "--hsm")::contains)
            .count();
    if (told > 1) {
      throw new SizingException("--calibration, --hsm-rate and --hsm say the same: one of them");
    }
    if (values.containsKey("--calibration")) {
      if (values.containsKey("--hsm-engines")) {
        throw new SizingException("--hsm-engines: a calibration says itself how many there are");
      }
      return Optional.of(calibrated(text("--calibration", "")));
    }
    if (values.containsKey("--hsm")) {
      return Optional.of(
          GivenFiles.model(
              Path.of(text("--hsm-models", "")),
              text("--hsm", ""),
              values.containsKey("--hsm-engines")
                  ? OptionalInt.of(number("--hsm-engines", 1))
                  : OptionalInt.empty()));
    }
    return values.containsKey("--hsm-rate")
        ? Optional.of(rated(text("--hsm-rate", "")))
        : Optional.empty();
  }

  private static Hsm calibrated(String file) {
    try {
      return Calibration.read(Files.readString(Path.of(file)));
    } catch (IOException e) {
      throw new SizingException("cannot read " + file);
    }
  }

  private Hsm rated(String rates) {
    Map<KeyKind, Double> perSecond = new EnumMap<>(KeyKind.class);
    for (String rate : rates.split(",", -1)) {
      String[] parts = rate.split("=", 2);
      try {
        KeyKind kind = KeyKind.of(parts[0].strip());
        if (perSecond.put(kind, Double.parseDouble(parts[parts.length - 1].strip())) != null) {
          throw new SizingException("--hsm-rate says two rates of " + kind.text());
        }
      } catch (NumberFormatException e) {
        throw new SizingException("--hsm-rate is KIND=NUMBER,KIND=NUMBER, not '" + rate + "'");
      }
    }
    return new Hsm("the HSM", perSecond, number("--hsm-engines", 1), "by --hsm-rate");
  }
}
