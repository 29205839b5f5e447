package org.sluiceca.core.request;

import java.util.regex.Pattern;

/**
 * The name of a certificate profile.
 *
 * @param value 1 to 40 of {@code a-z 0-9 -}, first a letter: it is a metric label and a URL part
 */
public record ProfileName(String value) {

  private static final Pattern SYNTAX = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  public ProfileName {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not a profile name: " + value);
    }
  }

  /** Returns whether {@code text} could name a profile. */
  public static boolean isValid(String text) {
    return SYNTAX.matcher(text).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
