package org.sluiceca.core.registration;

import java.util.regex.Pattern;

/**
 * The name of an endpoint of a protocol.
 *
 * @param value 1 to 40 of {@code a-z 0-9 -}, first a letter: it is a metric label and a URL part
 */
public record EndpointName(String value) {

  private static final Pattern SYNTAX = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  /** Refuses any other text. */
  public EndpointName {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not a name of an endpoint");
    }
  }

  /** Returns whether {@code text} could name an endpoint. */
  public static boolean isValid(String text) {
    return SYNTAX.matcher(text).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
