package org.sluiceca.api.auth;

/**
 * Which characters names and values may have. The firewall's own patterns judge alike, but make a
 * matcher for every name and value that is read.
 */
final class HeaderCharacters {

  private HeaderCharacters() {}

  /** Whether a name of a header or parameter is of assigned characters, none a control. */
  static boolean isName(String name) {
    return isText(name, false);
  }

  /** Whether a value is, where a tab is allowed (RFC 9110 5.5). */
  static boolean isValue(String value) {
    return isText(value, true);
  }

  private static boolean isText(String text, boolean isTabAllowed) {
    int at = 0;
    while (at < text.length()) {
      int character = text.codePointAt(at);
      int type = Character.getType(character);
      if (type == Character.UNASSIGNED
          || (type == Character.CONTROL && !(isTabAllowed && character == '\t'))) {
        return false;
      }
      at += Character.charCount(character);
    }
    return true;
  }
}
