package org.sluiceca.core.x509;

import java.util.regex.Pattern;

/**
 * The short name by which URLs, configuration and the ledger know an issuer.
 *
 * @param value 1 to 40 of {@code a-z 0-9 -}, first a letter: it stands in URLs unescaped
 */
public record IssuerName(String value) {

  private static final Pattern SYNTAX = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  public IssuerName {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not an issuer name: " + value);
    }
  }

  /** Returns whether {@code value} can be one. */
  public static boolean isValid(String value) {
    return SYNTAX.matcher(value).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
