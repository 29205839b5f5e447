package org.sluiceca.load.sizing.given;

import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.load.cli.InputException;

/**
 * Reads what {@code ./sluice ceremony calibrate} prints of a token, such as {@code token issuing: 4
 * jobs at once, ecdsa_sha256/256 21.1 ms}.
 */
public final class Calibration {

  private static final Pattern LINE = Pattern.compile("token (\\S+): (\\d{1,4}) jobs at once,(.*)");
  private static final Pattern KIND = Pattern.compile("([a-z0-9_]+)/(\\d{3,5}) ([0-9.]{1,12}) ms");

  private Calibration() {}

  /**
   * Returns the token that this text describes.
   *
   * @throws InputException if it describes none
   */
  public static Hsm read(String text) {
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
}
