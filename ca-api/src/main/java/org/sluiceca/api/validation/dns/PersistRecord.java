package org.sluiceca.api.validation.dns;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A record of dns-persist-01 (draft-ietf-acme-dns-persist-02 4.1): the issue-value of RFC 8659 4.2.
 *
 * @param issuerDomainName in lower case, without a dot at the end
 * @param accountUri as it stands there
 * @param isWildcard whether it holds for wildcards and subdomains, too
 * @param until after which it does not hold
 */
record PersistRecord(
    String issuerDomainName, String accountUri, boolean isWildcard, Optional<Instant> until) {

  /** A record of DNS has at most 65,535 octets; three parameters need far fewer. */
  private static final int LENGTH_MAX = 2_048;

  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";

  private static final Pattern ISSUER = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*+\\.?");

  /** Value: no white space, no semicolon. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)[ \\t]*=[ \\t]*([\\x21-\\x3A\\x3C-\\x7E]*)");

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");

  /** Reads a TXT record; empty if it is malformed, or names no account. */
  static Optional<PersistRecord> parse(String text) {
    if (text.length() > LENGTH_MAX) {
      return Optional.empty();
    }
    String[] parts = text.split(";", -1);
    String issuer = trim(parts[0]);
    Map<String, String> parameters = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      Matcher matcher = PARAMETER.matcher(trim(parts[i]));
      // A semicolon at the end is malformed, too; the same tag twice is ambiguous.
      if (!matcher.matches()
          || parameters.put(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2)) != null) {
        return Optional.empty();
      }
    }
    String account = parameters.get("accounturi");
    if (!ISSUER.matcher(issuer).matches() || account == null) {
      return Optional.empty();
    }
    Optional<Instant> until = Optional.empty();
    String seconds = parameters.get("persistuntil");
    if (seconds != null) {
      until = instant(seconds);
      if (until.isEmpty()) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new PersistRecord(
            normalised(issuer),
            account,
            "wildcard".equalsIgnoreCase(parameters.getOrDefault("policy", "")),
            until));
  }

  private static Optional<Instant> instant(String seconds) {
    if (!SECONDS.matcher(seconds).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.ofEpochSecond(Long.parseLong(seconds)));
    } catch (DateTimeException _) {
      // Later than the end of the calendar.
      return Optional.of(Instant.MAX);
    }
  }

  private static String normalised(String issuer) {
    String lower = issuer.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** WSP of RFC 5234: spaces and tabs alone. */
  private static String trim(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
