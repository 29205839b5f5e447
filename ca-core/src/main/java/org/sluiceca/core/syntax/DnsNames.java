package org.sluiceca.core.syntax;

/** The preferred name syntax of DNS (RFC 1034 3.5, RFC 1123 2.1) as RFC 5280 4.2.1.6 demands it. */
public final class DnsNames {

  /** RFC 1035 2.3.4: 255 octets on the wire are 253 characters; 63 in a label. */
  private static final int LENGTH_MAX = 253;

  private static final int LABEL_MAX = 63;
  private static final String WILDCARD = "*.";

  /** RFC 5890 2.3.1: hyphens in third and fourth place are reserved; only A-labels have them. */
  private static final int RESERVED_HYPHENS_AT = 2;

  private DnsNames() {}

  /** Returns whether {@code name} is a host name, without wildcard; not an IPv4 address. */
  public static boolean isHostName(String name) {
    if (name.length() > LENGTH_MAX) {
      return false;
    }
    int start = 0;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', start)) {
      if (!isLabel(name.substring(start, dot))) {
        return false;
      }
      start = dot + 1;
    }
    String last = name.substring(start);
    return isLabel(last) && !last.chars().allMatch(DnsNames::isDigit);
  }

  /**
   * Returns a name with A to Z in lower case, and nothing else changed (RFC 4343 3): Unicode has
   * other characters whose lower case is an ASCII letter, such as U+212A, the Kelvin sign.
   */
  public static String lowerCase(String name) {
    StringBuilder lower = new StringBuilder(name.length());
    name.chars().forEach(c -> lower.append((char) (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c)));
    return lower.toString();
  }

  private static boolean isLabel(String label) {
    return !label.isEmpty()
        && label.length() <= LABEL_MAX
        && isLetterOrDigit(label.charAt(0))
        && isLetterOrDigit(label.charAt(label.length() - 1))
        && label.chars().allMatch(c -> isLetterOrDigit(c) || c == '-')
        && isOrdinaryOrALabel(label);
  }

  private static boolean isOrdinaryOrALabel(String label) {
    if (!label.startsWith("--", RESERVED_HYPHENS_AT)) {
      return true;
    }
    return label.regionMatches(true, 0, IdnaLabel.PREFIX, 0, IdnaLabel.PREFIX.length())
        && IdnaLabel.isALabel(label);
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Returns whether {@code name} is {@code *.} and a host name of two labels or more (RFC 9525).
   */
  public static boolean isWildcard(String name) {
    if (!name.startsWith(WILDCARD)) {
      return false;
    }
    String rest = name.substring(WILDCARD.length());
    return rest.indexOf('.') > 0 && name.length() <= LENGTH_MAX && isHostName(rest);
  }
}
