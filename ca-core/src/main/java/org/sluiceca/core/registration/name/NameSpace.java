package org.sluiceca.core.registration.name;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.syntax.DnsNames;

/**
 * The names that a binding or an endpoint may have certified without a proof. {@code
 * *.corp.example} covers every name below {@code corp.example} at any depth and their wildcards,
 * not {@code corp.example} itself; {@code corp.example} covers that name alone; {@code *} covers
 * every DNS name. Immutable.
 *
 * @param patterns in lower case, 1 to 100
 */
public record NameSpace(List<String> patterns) {

  /** The most patterns of one name space. */
  public static final int PATTERNS_MAX = 100;

  /** Every DNS name; a trial alone may say so. */
  public static final String ANY = "*";

  /** Refuses what {@link #fault} finds. */
  public NameSpace {
    patterns =
        patterns.stream().map(pattern -> pattern.toLowerCase(Locale.ROOT)).distinct().toList();
    Optional<String> fault = fault(patterns);
    if (fault.isPresent()) {
      throw new IllegalArgumentException(fault.get());
    }
  }

  /** Returns what is wrong with patterns, in words that their author can act on. */
  public static Optional<String> fault(List<String> patterns) {
    if (patterns.isEmpty() || patterns.size() > PATTERNS_MAX) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "a name space has 1 to %d patterns, not %d",
              PATTERNS_MAX,
              patterns.size()));
    }
    return patterns.stream()
        .filter(pattern -> !isPattern(pattern))
        .findFirst()
        .map(
            pattern ->
                "'"
                    + (pattern.length() > 100 ? pattern.substring(0, 100) + "…" : pattern)
                    + "' is no pattern of names: write host.corp.example for one name,"
                    + " *.corp.example for all names below corp.example");
  }

  private static boolean isPattern(String pattern) {
    return pattern.equals(ANY)
        || DnsNames.isHostName(pattern)
        || (pattern.startsWith(Identifier.WILDCARD)
            && DnsNames.isHostName(pattern.substring(Identifier.WILDCARD.length())));
  }

  /** Returns whether every DNS name is covered. */
  public boolean isAny() {
    return patterns.contains(ANY);
  }

  /** Returns the first identifier that is not covered; empty if all are. */
  public Optional<Identifier> outside(List<Identifier> identifiers) {
    return identifiers.stream().filter(identifier -> !covers(identifier)).findFirst();
  }

  private boolean covers(Identifier identifier) {
    return identifier instanceof Identifier.Dns(String name)
        && patterns.stream().anyMatch(pattern -> covers(pattern, name));
  }

  private static boolean covers(String pattern, String name) {
    if (pattern.equals(ANY)) {
      return true;
    }
    if (!pattern.startsWith(Identifier.WILDCARD)) {
      return pattern.equals(name);
    }
    // The wildcard of corp.example itself stands for names below it, and ends like them.
    String below = pattern.substring(1);
    return name.endsWith(below) && name.length() > below.length();
  }
}
