package org.sluiceca.core.naming;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Computes a lower bound of a pattern's number of states before it is compiled: a counted
 * repetition is written out, so nested ones multiply. Does not judge the syntax; RE2/J does.
 */
final class PatternSize {

  /** Larger sizes are not distinguished; far from an overflow when multiplied by a count. */
  private static final long MANY = 1_000_000;

  private static final Pattern COUNTS =
      Pattern.compile("\\{(?<least>[0-9]{1,4})(?:,(?<most>[0-9]{1,4})?)?\\}");

  /** A group is noted where it begins and ends, even an empty one. */
  private static final int GROUP = 2;

  private final String text;
  private final Deque<Long> open = new ArrayDeque<>();
  private int at;
  private long sequence;
  private long atom;

  private PatternSize(String text) {
    this.text = text;
  }

  /**
   * Returns the number of states, at most some millions.
   *
   * @throws IllegalArgumentException for notations in which brackets or braces could be misread
   */
  static long of(String text) {
    PatternSize size = new PatternSize(text);
    while (size.at < text.length()) {
      size.step();
    }
    long all = size.sequence;
    for (long outer : size.open) {
      all += outer;
    }
    return all;
  }

  private void step() {
    char c = text.charAt(at);
    switch (c) {
      case '(' -> {
        open.push(sequence);
        sequence = 0;
        atom = 0;
        at++;
      }
      case ')' -> {
        atom = sequence + GROUP;
        sequence = Math.min(MANY, atom + (open.isEmpty() ? 0 : open.pop()));
        at++;
      }
      case '{' -> repeat();
      case '[' -> {
        add();
        characterClass();
      }
      case '\\' -> {
        if (text.startsWith("\\Q", at)) {
          throw new IllegalArgumentException(
              String.format(Locale.ROOT, "pattern %s: \\Q is not known here", text));
        }
        add();
        escape();
      }
      default -> {
        add();
        at++;
      }
    }
  }

  private void add() {
    atom = 1;
    sequence = Math.min(MANY, sequence + 1);
  }

  /** What stands before <code>{m,n}</code> is there n times, or m times if there is no n. */
  private void repeat() {
    Matcher counts = COUNTS.matcher(text).region(at, text.length());
    if (!counts.lookingAt()) {
      // RE2/J would take the brace for itself, which is hardly what was meant.
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "pattern %s: a repetition is {m}, {m,} or {m,n}", text));
    }
    String most = counts.group("most");
    // Never none: of a{0,} one copy remains, and so does what was counted in it.
    long times = Math.max(1, Long.parseLong(most == null ? counts.group("least") : most));
    sequence = Math.min(MANY, sequence - Math.min(sequence, atom) + atom * times);
    at = counts.end();
  }

  /** Steps over {@code \d} and over <code>&#92;p{Greek}</code> or <code>&#92;x{e9}</code>. */
  private void escape() {
    at++;
    boolean hasName = at < text.length() && "pPx".indexOf(text.charAt(at)) >= 0;
    at++;
    if (hasName && text.startsWith("{", at)) {
      int end = text.indexOf('}', at);
      at = end < 0 ? text.length() : end + 1;
    }
  }

  private void characterClass() {
    at++;
    if (text.startsWith("^", at)) {
      at++;
    }
    for (int first = at; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '[' || (c == ']' && at == first)) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "pattern %s: a bracket in a class must be escaped", text));
      }
      if (c == ']') {
        at++;
        return;
      }
      if (c == '\\') {
        at++;
      }
    }
  }
}
