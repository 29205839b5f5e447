package org.sluiceca.hsm.isolate;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Turns what a library prints into lines for a log: printable characters only, cut at 500, at most
 * 50 in ten seconds; of the rest only the number is logged. The caller passes the time; owned by
 * one thread, except for {@link #last}.
 */
final class OutputLines {
  /** The JVM's account of a crash has 20 lines, the longest of some 250 characters. */
  static final int LINE_MAX = 500;

  static final int LINES_MAX = 50;
  static final Duration WINDOW = Duration.ofSeconds(10);

  private final Consumer<String> log;
  private final StringBuilder line = new StringBuilder();
  private boolean isCut;
  private long windowNanos;
  private int inWindow;
  private long dropped;
  private volatile String last = "";

  /** Hands lines to {@code log}. */
  OutputLines(Consumer<String> log, long now) {
    this.log = log;
    this.windowNanos = now;
  }

  /** The next bytes that came, of which the first {@code length} count. */
  void accept(byte[] bytes, int length, long now) {
    String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '\n') {
        emit(now);
      } else if (line.length() < LINE_MAX) {
        line.append(isPrintable(each) ? each : '?');
      } else {
        isCut = true;
      }
    }
  }

  /** Nothing more comes. */
  void end(long now) {
    emit(now);
    tellDropped();
  }

  /** The latest line that says something; of the JVM's account of a crash, where; thread-safe. */
  String last() {
    return last;
  }

  private void emit(long now) {
    String text = line + (isCut ? "..." : "");
    line.setLength(0);
    isCut = false;
    if (text.isBlank() || text.equals("#")) {
      return;
    }
    if (isTelling(text)) {
      last = text;
    }
    if (now - windowNanos >= WINDOW.toNanos()) {
      tellDropped();
      windowNanos = now;
      inWindow = 0;
    }
    if (inWindow < LINES_MAX) {
      inWindow++;
      log.accept(text);
    } else {
      dropped++;
    }
  }

  private static boolean isTelling(String text) {
    return !text.startsWith("#") || text.contains(" at pc=");
  }

  private void tellDropped() {
    if (dropped > 0) {
      log.accept(dropped + " more lines were printed");
      dropped = 0;
    }
  }

  /** ASCII: no terminal sequences, no line breaks that a log would take for its own. */
  private static boolean isPrintable(char each) {
    return each >= ' ' && each < 0x7F;
  }
}
