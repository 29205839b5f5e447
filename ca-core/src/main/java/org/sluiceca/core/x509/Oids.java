package org.sluiceca.core.x509;

import java.util.regex.Pattern;

/** The dotted form of object identifiers (X.660). */
public final class Oids {

  /** Two arcs at least; below 0 and 1 the second is at most 39. */
  private static final Pattern SYNTAX =
      Pattern.compile(
          "(?:[01]\\.(?:[0-9]|[1-3][0-9])|2\\.(?:0|[1-9][0-9]{0,8}))(?:\\.(?:0|[1-9][0-9]{0,17}))*");

  /** Longer ones are mistakes: the longest in use have some 60 characters. */
  private static final int LENGTH_MAX = 128;

  private Oids() {}

  /**
   * Refuses a text that is no object identifier.
   *
   * @throws IllegalArgumentException that shows it
   */
  public static void check(String oid) {
    if (!isOid(oid)) {
      throw new IllegalArgumentException("not an object identifier: " + oid);
    }
  }

  /** Returns whether a text is an object identifier in dotted form. */
  public static boolean isOid(String text) {
    return text.length() <= LENGTH_MAX && SYNTAX.matcher(text).matches();
  }

  /** Returns whether {@code oid} is {@code arc} or lies below it. */
  public static boolean isBelow(String oid, String arc) {
    return oid.equals(arc) || oid.startsWith(arc + ".");
  }
}
