package org.sluiceca.client.output;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * The two outputs of a command: results on standard output, messages on standard error, each
 * message one line that begins with {@code sluice: }. Control characters that a server sent are
 * never printed, since a terminal would obey them. Not thread-safe.
 */
public final class Console {
  private final PrintWriter out;
  private final PrintWriter err;
  private boolean quiet;
  private int statusWidth;

  /** Both writers are flushed after each line. */
  public Console(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** After this, {@link #say} prints nothing; failures are still printed. */
  public void beQuiet() {
    quiet = true;
  }

  /** What the user must see though --quiet was given, on standard error. */
  @FormatMethod
  public void note(@FormatString String format, Object... arguments) {
    fail(String.format(Locale.ROOT, format, arguments));
  }

  /** A message about progress, on standard error. */
  @FormatMethod
  public void say(@FormatString String format, Object... arguments) {
    if (!quiet) {
      fail(String.format(Locale.ROOT, format, arguments));
    }
  }

  /** Shows progress in one line of a terminal, until the next text takes its place. */
  public void status(String text) {
    if (!quiet) {
      String line = "sluice: " + printable(text);
      err.print("\r" + line + " ".repeat(Math.max(0, statusWidth - line.length())));
      err.flush();
      statusWidth = line.length();
    }
  }

  private void clearStatus() {
    if (statusWidth > 0) {
      err.print("\r" + " ".repeat(statusWidth) + "\r");
      err.flush();
      statusWidth = 0;
    }
  }

  /** The reason of a failure, on standard error. */
  public void fail(String message) {
    clearStatus();
    err.println("sluice: " + printable(message));
    err.flush();
  }

  /** A line of the result. */
  public void line(String text) {
    clearStatus();
    out.println(printable(text));
    flush();
  }

  /** A result as it is, PEM or JSON, with no line feed added. */
  public void raw(String text) {
    clearStatus();
    out.print(text);
    flush();
  }

  /** A full disk or a reader that has gone must not look like success. */
  private void flush() {
    out.flush();
    if (out.checkError()) {
      throw Failure.of("cannot write the result to standard output");
    }
  }

  /** The text with each control character, line feeds included, as a question mark. */
  public static String printable(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
        .forEach(printable::appendCodePoint);
    return printable.toString();
  }
}
