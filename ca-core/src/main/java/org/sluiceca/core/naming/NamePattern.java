package org.sluiceca.core.naming;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Locale;

/**
 * A regular expression in RE2's syntax that must match a whole value: no back references, no
 * look-around. Immutable, thread-safe.
 *
 * <p>RE2/J follows all states of the automaton at once, so matching takes at most {@value
 * #STATES_MAX} steps for each character of a value, whatever the value.
 */
public final class NamePattern {

  /** What an operator can still read in one line. */
  static final int LENGTH_MAX = 200;

  /** Enough for a host name of four labels of up to 63; bounds the work of one character. */
  static final int STATES_MAX = 1_000;

  /** The longest value that can match: a URI, the longest name, has 512 characters. */
  private static final int VALUE_MAX = 512;

  private final Pattern pattern;

  private NamePattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Compiles a pattern.
   *
   * @throws IllegalArgumentException that says what is wrong
   */
  public static NamePattern of(String text) {
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "pattern of %d characters, allowed 1 to %d", text.length(), LENGTH_MAX));
    }
    // Before RE2/J copies what is counted: of (((a{999}){999}){999}) it would make 10^9 states.
    requireSize(PatternSize.of(text), text);
    Pattern compiled;
    try {
      compiled = Pattern.compile(text, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "pattern %s: %s: %s", text, e.getDescription(), e.getPattern()),
          e);
    }
    requireSize(compiled.programSize(), text);
    return new NamePattern(compiled);
  }

  private static void requireSize(long states, String text) {
    if (states > STATES_MAX) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "pattern %s: more than %d states", text, STATES_MAX));
    }
  }

  /** Returns whether the whole of {@code value} matches; one that is too long does not. */
  public boolean matches(String value) {
    return value.length() <= VALUE_MAX && pattern.matches(value);
  }

  /** Patterns are equal if their texts are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof NamePattern that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** Returns the text that was compiled. */
  @Override
  public String toString() {
    return pattern.pattern();
  }
}
