package org.sluiceca.core.request;

import java.util.regex.Pattern;

/**
 * The registered name of a requester, stable over its credentials.
 *
 * @param value 1 to 64 of {@code a-z 0-9 . _ -}, first a letter or digit
 */
public record RequesterId(String value) {

  private static final Pattern SYNTAX = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /** A node that enrolls for its own TLS certificate; cannot be registered. */
  public static final RequesterId NODE = new RequesterId("sluice.node");

  /** A key ceremony; cannot be registered. */
  public static final RequesterId CEREMONY = new RequesterId("sluice.ceremony");

  public RequesterId {
    if (!SYNTAX.matcher(value).matches()) {
      throw new IllegalArgumentException("not a requester id: " + value);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
