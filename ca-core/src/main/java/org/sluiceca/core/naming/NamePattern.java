package org.sluiceca.core.naming;

import java.util.BitSet;

/**
 * A regular expression that must match a whole value, in a syntax without back references and
 * look-around: literals, {@code .}, {@code [a-z]}, {@code [^a-z]}, {@code \d}, {@code \w}, groups,
 * {@code |}, {@code * + ?} and <code>{m,n}</code>. Immutable, thread-safe.
 *
 * <p>Matching follows all states of the automaton at once (K. Thompson, CACM 11/6, 1968), so its
 * time is at most {@value PatternParser#STATES_MAX} times the value's length, whatever the value.
 */
public final class NamePattern {

  /** The longest value that can match: a URI, the longest name, has 512 characters. */
  private static final int VALUE_MAX = 512;

  private final String text;
  private final PatternParser.Automaton automaton;

  private NamePattern(String text, PatternParser.Automaton automaton) {
    this.text = text;
    this.automaton = automaton;
  }

  /**
   * Compiles a pattern.
   *
   * @throws IllegalArgumentException that says what is wrong, and where
   */
  public static NamePattern of(String text) {
    return new NamePattern(text, PatternParser.parse(text));
  }

  /** Returns whether the whole of {@code value} matches; one that is too long does not. */
  public boolean matches(String value) {
    if (value.length() > VALUE_MAX) {
      return false;
    }
    BitSet states = automaton.start();
    int i = 0;
    while (i < value.length() && !states.isEmpty()) {
      int codePoint = value.codePointAt(i);
      states = automaton.step(states, codePoint);
      i += Character.charCount(codePoint);
    }
    return i == value.length() && automaton.isAccepting(states);
  }

  /** Patterns are equal if their texts are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof NamePattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the text that was compiled. */
  @Override
  public String toString() {
    return text;
  }
}
