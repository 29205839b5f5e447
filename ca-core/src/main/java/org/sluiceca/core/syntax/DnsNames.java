package org.sluiceca.core.syntax;

import java.util.Arrays;
import java.util.regex.Pattern;

/** The preferred name syntax of DNS (RFC 1034 3.5, RFC 1123 2.1) as RFC 5280 4.2.1.6 demands it. */
public final class DnsNames {

  /** RFC 1035 2.3.4: 255 octets on the wire are 253 characters. */
  private static final int LENGTH_MAX = 253;

  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final Pattern NAME = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
  private static final Pattern NUMERIC_END = Pattern.compile("(?:.*\\.)?[0-9]+");
  private static final String WILDCARD = "*.";

  /** RFC 5890 2.3.1: hyphens in third and fourth place are reserved; only A-labels have them. */
  private static final int RESERVED_HYPHENS_AT = 2;

  private DnsNames() {}

  /** Returns whether {@code name} is a host name, without wildcard; not an IPv4 address. */
  public static boolean isHostName(String name) {
    return name.length() <= LENGTH_MAX
        && NAME.matcher(name).matches()
        && !NUMERIC_END.matcher(name).matches()
        && Arrays.stream(name.split("\\.")).allMatch(DnsNames::isOrdinaryOrALabel);
  }

  private static boolean isOrdinaryOrALabel(String label) {
    if (!label.startsWith("--", RESERVED_HYPHENS_AT)) {
      return true;
    }
    return label.regionMatches(true, 0, IdnaLabel.PREFIX, 0, IdnaLabel.PREFIX.length())
        && IdnaLabel.isALabel(label);
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
