package org.sluiceca.api.console.work;

import java.time.Duration;
import java.util.Locale;

/**
 * The rest of a certificate's life, for people.
 *
 * @param left until it ends; negative if it has
 */
public record Remaining(Duration left) {

  private static final Duration SOON = Duration.ofDays(7);
  private static final long HOURS_SHOWN = 48;

  /** Returns the colour of a status: calm, busy (ends within a week), full (revoked) or lost. */
  public String tone(String status) {
    return switch (status) {
      case "revoked" -> "full";
      case "expired" -> "lost";
      default -> left.compareTo(SOON) <= 0 ? "busy" : "calm";
    };
  }

  /** Returns hours below two days, otherwise days. */
  public String text() {
    Duration size = left.abs();
    String text =
        size.toHours() < HOURS_SHOWN
            ? String.format(Locale.ROOT, "%d h", size.toHours())
            : String.format(Locale.ROOT, "%d days", size.toDays());
    return left.isNegative() ? text + " ago" : "in " + text;
  }
}
