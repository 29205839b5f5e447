package org.sluiceca.api.cli.setup.answer;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The terminal of this process, if it has one. For one thread. */
public final class Terminal implements Dialogue {

  private final PrintWriter out;
  private final @Nullable Console console;

  private Terminal(PrintWriter out, @Nullable Console console) {
    this.out = out;
    this.console = console;
  }

  /**
   * Shows lines on {@code out}, and asks at the terminal.
   *
   * @param mayAsk whether questions are wanted at all
   */
  public static Terminal of(PrintWriter out, boolean mayAsk) {
    Console console = mayAsk ? System.console() : null;
    return new Terminal(out, console != null && console.isTerminal() ? console : null);
  }

  /** Returns a line with each character that changes a screen as a question mark. */
  public static String printable(String line) {
    return line.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }

  @Override
  public boolean isInteractive() {
    return console != null;
  }

  @Override
  public void say(String line) {
    out.println(printable(line));
    out.flush();
  }

  @Override
  public Optional<String> ask(String prompt) {
    Console asked = console;
    return asked == null
        ? Optional.empty()
        : Optional.ofNullable(asked.readLine("%s: ", printable(prompt)));
  }

  @Override
  public Optional<char[]> askSecret(String prompt) {
    Console asked = console;
    return asked == null
        ? Optional.empty()
        : Optional.ofNullable(asked.readPassword("%s: ", prompt));
  }
}
