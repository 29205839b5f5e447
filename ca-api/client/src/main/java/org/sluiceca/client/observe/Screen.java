package org.sluiceca.client.observe;

import java.util.List;
import org.sluiceca.client.output.Console;

/**
 * Shows lines again and again: on a terminal in the place of those before, by the sequences of ECMA
 * 48; otherwise below them, after an empty line. Not thread-safe.
 */
final class Screen {
  private static final String CLEAR = "\u001b[2J";
  private static final String TO_TOP = "\u001b[H";
  private static final String CLEAR_LINE = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";

  private final Console console;
  private final boolean isTerminal;
  private boolean isFirst = true;

  Screen(Console console, boolean isTerminal) {
    this.console = console;
    this.isTerminal = isTerminal;
  }

  /** Whether this process writes to a terminal that knows the sequences. */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is no terminal.
  static boolean isTerminal() {
    java.io.Console terminal = System.console();
    return terminal != null
        && terminal.isTerminal()
        && !"dumb".equals(System.getenv().getOrDefault("TERM", ""));
  }

  void show(List<String> lines) {
    if (isTerminal) {
      StringBuilder text = new StringBuilder(isFirst ? CLEAR : "").append(TO_TOP);
      for (String line : lines) {
        text.append(Console.printable(line)).append(CLEAR_LINE).append('\n');
      }
      console.raw(text.append(CLEAR_BELOW).toString());
    } else {
      if (!isFirst) {
        console.line("");
      }
      lines.forEach(console::line);
    }
    isFirst = false;
  }
}
