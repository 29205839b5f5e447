package org.sluiceca.api.console.live.feed;

import java.util.Locale;

/** How live pages write numbers. */
public final class Figures {

  private static final double WHOLE_FROM = 10;
  private static final double MILLIS = 1_000;
  private static final double MINUTE = 60;

  private Figures() {}

  /** Returns a number a second, with one decimal below 10. */
  public static String rate(double perSecond) {
    return String.format(
        Locale.ROOT, perSecond >= WHOLE_FROM || perSecond == 0 ? "%,.0f" : "%.1f", perSecond);
  }

  /** Returns a part of 1 as a percentage. */
  public static String percent(double part) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }

  /** Returns a number without decimals. */
  public static String count(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  /** Returns a time in the unit that reads best. */
  public static String seconds(double seconds) {
    if (seconds == 0) {
      return "0 s";
    }
    if (seconds < 1) {
      return String.format(
          Locale.ROOT, seconds * MILLIS < WHOLE_FROM ? "%.1f ms" : "%.0f ms", seconds * MILLIS);
    }
    return seconds < MINUTE
        ? String.format(Locale.ROOT, seconds < WHOLE_FROM ? "%.1f s" : "%.0f s", seconds)
        : String.format(Locale.ROOT, "%.0f min", seconds / MINUTE);
  }
}
