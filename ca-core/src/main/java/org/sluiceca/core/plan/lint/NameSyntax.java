package org.sluiceca.core.plan.lint;

import java.util.Locale;
import java.util.Optional;

/**
 * The syntax of GeneralNames (RFC 5280 4.2.1.6), written without a look at the policies that let
 * them through: both must agree.
 */
final class NameSyntax {

  static final int EMAIL = 0x81;
  static final int DNS = 0x82;
  static final int URI = 0x86;
  static final int IP = 0x87;

  private static final int LABEL_MAX = 63;
  private static final int HOST_MAX = 253;
  private static final int LOCAL_MAX = 64;

  private NameSyntax() {}

  /** Returns what is wrong with a GeneralName, or empty. */
  static Optional<String> fault(DerElement name) throws MalformedException {
    return switch (name.tag()) {
      case DNS -> claim(isDnsName(name.ascii("dNSName")), "dNSName is no name");
      case EMAIL -> claim(isMailbox(name.ascii("rfc822Name")), "rfc822Name is no mailbox");
      case URI -> claim(isUri(name.ascii("URI")), "URI is not absolute, or malformed");
      case IP ->
          claim(
              name.length() == 4 || name.length() == 16,
              "iPAddress of " + name.length() + " octets");
      default -> Optional.of(String.format(Locale.ROOT, "a name of tag %02x", name.tag()));
    };
  }

  /** Returns what is wrong with a name that must be an http URI, or empty. */
  static Optional<String> httpFault(DerElement name) throws MalformedException {
    if (name.tag() != URI) {
      return Optional.of(String.format(Locale.ROOT, "a name of tag %02x, not a URI", name.tag()));
    }
    String uri = name.ascii("URI");
    return claim(
        isUri(uri) && (uri.startsWith("http://") || uri.startsWith("https://")),
        "a location that is no http URI");
  }

  private static Optional<String> claim(boolean holds, String otherwise) {
    return holds ? Optional.empty() : Optional.of(otherwise);
  }

  private static boolean isDnsName(String name) {
    boolean isWildcard = name.startsWith("*.");
    String host = isWildcard ? name.substring(2) : name;
    return name.length() <= HOST_MAX && isHost(host) && (!isWildcard || host.indexOf('.') > 0);
  }

  /** RFC 1034 3.5, RFC 1123 2.1: letters, digits, hyphens inside; the last label has a letter. */
  private static boolean isHost(String host) {
    if (host.length() > HOST_MAX) {
      return false;
    }
    int start = 0;
    boolean isNumber = true;
    for (int i = 0; i <= host.length(); i++) {
      if (i < host.length() && host.charAt(i) != '.') {
        char c = host.charAt(i);
        if (!isLetter(c) && !isDigit(c) && c != '-') {
          return false;
        }
        isNumber = i == start ? isDigit(c) : isNumber && isDigit(c);
        continue;
      }
      int length = i - start;
      if (length < 1
          || length > LABEL_MAX
          || host.charAt(start) == '-'
          || host.charAt(i - 1) == '-') {
        return false;
      }
      start = i + 1;
    }
    return !isNumber;
  }

  /** RFC 5321 4.1.2: Dot-string, at, Domain. RFC 9598: others are SmtpUTF8Mailboxes. */
  private static boolean isMailbox(String address) {
    int at = address.indexOf('@'); // The first, and no host has another.
    if (at < 1 || at > LOCAL_MAX) {
      return false;
    }
    char previous = '.';
    for (int i = 0; i < at; i++) {
      char c = address.charAt(i);
      boolean isAtom = isLetter(c) || isDigit(c) || "!#$%&'*+-/=?^_`{|}~".indexOf(c) >= 0;
      if (!isAtom && (c != '.' || previous == '.')) {
        return false;
      }
      previous = c;
    }
    return previous != '.' && isHost(address.substring(at + 1));
  }

  /** RFC 3986 3: a scheme, a part behind it, octets in threes behind %; an authority has a host. */
  private static boolean isUri(String uri) {
    int colon = uri.indexOf(':');
    if (colon < 1 || colon == uri.length() - 1 || !isLetter(uri.charAt(0))) {
      return false;
    }
    for (int i = 1; i < colon; i++) {
      char c = uri.charAt(i);
      if (!isLetter(c) && !isDigit(c) && c != '+' && c != '-' && c != '.') {
        return false;
      }
    }
    for (int i = colon + 1; i < uri.length(); i++) {
      char c = uri.charAt(i);
      if (c == '%' && (i + 2 >= uri.length() || !isHex(uri, i + 1) || !isHex(uri, i + 2))) {
        return false;
      }
      if (c <= ' ' || c > '~' || "\"<>\\^`{|}".indexOf(c) >= 0) {
        return false;
      }
    }
    return !uri.startsWith("//", colon + 1) || hasAuthority(uri, colon + 3);
  }

  private static boolean hasAuthority(String uri, int from) {
    int end = from;
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    int host = Math.max(from, uri.lastIndexOf('@', end - 1) + 1);
    return host < end && uri.charAt(host) != ':';
  }

  private static boolean isHex(String text, int at) {
    return Character.digit(text.charAt(at), 16) >= 0;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
