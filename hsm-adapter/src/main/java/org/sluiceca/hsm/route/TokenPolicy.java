package org.sluiceca.hsm.route;

import java.util.regex.Pattern;

/**
 * When a token is used.
 *
 * @param region where it stands: nodes of that region prefer it. Empty: near to every node
 */
public record TokenPolicy(Preference preference, String region) {
  /** A label, not a sentence. */
  private static final Pattern REGION = Pattern.compile("[a-z0-9._-]{0,32}");

  /** Used like any other, by every node. */
  public static final TokenPolicy DEFAULT = new TokenPolicy(Preference.PREFERRED, "");

  /** Whether a token takes part in ordinary work. */
  public enum Preference {
    /** Ordinary work. */
    PREFERRED,
    /** Only what no preferred token can do, or not in time. */
    BACKUP
  }

  /** Checks the region's form: at most 32 of {@code a-z 0-9 . _ -}. */
  public TokenPolicy {
    checkRegion(region);
  }

  /**
   * Checks the name of a region.
   *
   * @throws IllegalArgumentException when it is not at most 32 of {@code a-z 0-9 . _ -}
   */
  public static void checkRegion(String region) {
    if (!REGION.matcher(region).matches()) {
      throw new IllegalArgumentException(
          "a region has at most 32 of a-z 0-9 . _ - and not '" + region + "'");
    }
  }

  /** Whether a node of this region counts it as near; a node without a region has no far token. */
  boolean isNearTo(String nodeRegion) {
    return region.isEmpty() || nodeRegion.isEmpty() || region.equals(nodeRegion);
  }
}
