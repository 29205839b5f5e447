package org.sluiceca.client.output;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as options spell them. */
public final class Durations {
  private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,5})([smhd])");

  private Durations() {}

  /** Reads {@code 90s}, {@code 10m}, {@code 12h} or {@code 30d}. */
  public static Duration parse(String text, String option) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw Failure.usage(option + " is a time such as 90s, 10m, 12h or 30d, not '" + text + "'");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
