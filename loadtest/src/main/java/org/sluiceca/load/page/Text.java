package org.sluiceca.load.page;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;

/** Text and numbers that read the same on every machine. */
public final class Text {

  private Text() {}

  /** Formats as {@link String#format} does, whatever the machine's language. */
  @FormatMethod
  public static String format(@FormatString String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }

  /** Returns a number with {@code digits} digits after the point. */
  public static String number(double value, int digits) {
    return shown("%." + digits + "f", value);
  }

  /** Returns a number with {@code digits} digits after the point, and commas between thousands. */
  public static String grouped(double value, int digits) {
    return shown("%,." + digits + "f", value);
  }

  /** Returns a whole number with commas between thousands. */
  public static String grouped(long value) {
    return format("%,d", value);
  }

  /** Returns a share in percent. */
  public static String percent(double share) {
    return Double.isFinite(share) ? number(100 * share, 1) + " %" : "-";
  }

  private static String shown(String form, double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return Double.isInfinite(value) ? "never" : String.format(Locale.ROOT, form, value);
  }
}
