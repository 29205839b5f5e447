package org.sluiceca.client.batch;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.sluiceca.client.output.Console;

/**
 * Says how far a batch is: in a line of the terminal that is written again and again, or in a
 * message every ten seconds where there is none. Not thread-safe.
 */
final class Progress {
  private static final Duration IN_PLACE = Duration.ofMillis(200);
  private static final Duration MESSAGE = Duration.ofSeconds(10);
  private static final double SECOND = 1e9;

  private final Console console;
  private final boolean isTerminal;
  private final LongSupplier nanoTime;
  private final int total;
  private final int doneBefore;
  private final long begun;
  private long shown;

  /** Counts from now on; {@code doneBefore} of {@code total} are no work of this run. */
  Progress(Console console, boolean isTerminal, LongSupplier nanoTime, int total, int doneBefore) {
    this.console = console;
    this.isTerminal = isTerminal;
    this.nanoTime = nanoTime;
    this.total = total;
    this.doneBefore = doneBefore;
    this.begun = nanoTime.getAsLong();
    this.shown = begun;
  }

  /** Whether messages go to a terminal, as far as Java knows: input and output both do. */
  @SuppressWarnings("SystemConsoleNull") // It is null again since JDK 25 (JDK-8351435).
  static boolean isTerminal() {
    return System.console() != null && System.console().isTerminal();
  }

  /** Shows the counts, if it is time for that. */
  void show(int done, int failed) {
    long now = nanoTime.getAsLong();
    Duration pause = isTerminal ? IN_PLACE : MESSAGE;
    if (now - shown < pause.toNanos()) {
      return;
    }
    shown = now;
    String text = text(done, failed, now);
    if (isTerminal) {
      console.status(text);
    } else {
      console.say("%s", text);
    }
  }

  private String text(int done, int failed, long now) {
    double rate = (done + failed - doneBefore) * SECOND / Math.max(1, now - begun);
    long left = rate > 0 ? Math.round((total - done - failed) / rate) : -1;
    return String.format(
        Locale.ROOT,
        "%d of %d done, %d failed, %.1f/s%s",
        done,
        total,
        failed,
        rate,
        left < 0 ? "" : ", about " + time(left) + " left");
  }

  private static String time(long seconds) {
    return seconds < 60
        ? seconds + " s"
        : String.format(
            Locale.ROOT, "%d:%02d:%02d h", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
