package org.sluiceca.client.acme;

import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;

/** Patterns of the names that a binding covers. The service checks them again, and more. */
final class NamePattern {
  private static final int SHOWN_MAX = 100;

  /** {@code *}, or host names as in RFC 1123 2.1, with {@code *.} in front for all below. */
  private static final Pattern FORM =
      Pattern.compile(
          "(?i)[*]|(?=.{1,255}$)([*][.])?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
              + "([.][a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*");

  private NamePattern() {}

  /** Fails if this is no such pattern. */
  static void check(String text) {
    if (!FORM.matcher(text).matches()) {
      throw Failure.usage(
          "--names: '"
              + (text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "…" : text)
              + "' is no pattern of names: write host.corp.example for one name,"
              + " '*.corp.example' for all names below corp.example");
    }
  }
}
