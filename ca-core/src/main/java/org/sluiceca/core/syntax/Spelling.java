package org.sluiceca.core.syntax;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the known word that a misspelt one most likely stands for, and words a hint for a message.
 */
public final class Spelling {

  /** A longer word is no typing error of a member's name; the comparison takes quadratic time. */
  private static final int LENGTH_MAX = 64;

  /** How much of a word that a client wrote a message repeats. */
  private static final int SHOWN_MAX = 40;

  private Spelling() {}

  /**
   * Returns the nearest of {@code known}: the same letters in another case, or with few edits
   * (insertion, deletion, substitution, transposition of neighbours), at most one in three letters.
   */
  public static Optional<String> nearest(String word, Collection<String> known) {
    if (word.isEmpty() || word.length() > LENGTH_MAX) {
      return Optional.empty();
    }
    String lower = plain(word);
    return known.stream()
        .filter(candidate -> distance(lower, plain(candidate)) <= editsMax(word, candidate))
        .min(
            Comparator.<String>comparingInt(candidate -> distance(lower, plain(candidate)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * Returns a hint that ends a message: {@code did you mean x? }, if there is a near word, and what
   * is allowed.
   *
   * @param known in the order in which they are listed
   */
  public static String hint(String word, Collection<String> known) {
    String nearest = nearest(word, known).map(near -> "did you mean " + near + "? ").orElse("");
    return nearest + "allowed: " + String.join(", ", known);
  }

  /** Returns {@code word} as a message may repeat it: printable ASCII, at most 40 characters. */
  public static String shown(String word) {
    String cut = word.length() > SHOWN_MAX ? word.substring(0, SHOWN_MAX) + "..." : word;
    return cut.replaceAll("[^\\x20-\\x7e]", "?");
  }

  private static int editsMax(String word, String candidate) {
    return Math.max(1, Math.min(word.length(), candidate.length()) / 3);
  }

  /** Separators and case are what people leave out or add. */
  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
  }

  /** Optimal string alignment distance. */
  static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int substituted = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        edits[i][j] = Math.min(substituted, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[a.length()][b.length()];
  }
}
