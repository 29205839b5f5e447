package org.sluiceca.hsm.route;

import java.util.regex.Pattern;
import org.sluiceca.hsm.settings.HsmSettings;

/**
 * One token of a group: its name, how it is reached and when it is used.
 *
 * @param name unique in the group; in metrics and logs
 * @param isSizedByWindow whether it gets as many sessions as its window may need, whatever {@code
 *     hsm} says of sessions and window
 */
public record TokenSettings(
    String name, HsmSettings hsm, TokenPolicy policy, boolean isSizedByWindow) {
  /** It becomes a label in metrics. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,31}");

  /** A token with its own number of sessions. */
  public TokenSettings(String name, HsmSettings hsm, TokenPolicy policy) {
    this(name, hsm, policy, false);
  }

  /** Whether a token that was opened by these settings is the one that {@code other} wants. */
  boolean isOpenedAs(TokenSettings other) {
    return hsm.equals(other.hsm) && isSizedByWindow == other.isSizedByWindow;
  }

  /** Checks the name: 1 to 32 of {@code a-z 0-9 . _ -}. */
  public TokenSettings {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a token's name has 1 to 32 of a-z 0-9 . _ - and not '" + name + "'");
    }
  }
}
