package org.sluiceca.api.console;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How pages write times: UTC, to the minute. */
public final class ConsoleTime {

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private ConsoleTime() {}

  /** Returns a moment as pages write it. */
  public static String text(Instant instant) {
    return FORM.format(instant);
  }
}
