package org.sluiceca.core.sign;

import java.util.regex.Pattern;
import org.sluiceca.core.x509.IssuerName;

/**
 * The name of a key of this CA, wherever the key lives: an issuer's name, or that and a dot and
 * what else signs for it, such as {@code issuing.ocsp}.
 *
 * @param value 1 to 40 of {@code a-z 0-9 -}, first a letter; perhaps a dot and 1 to 20 more
 */
public record KeyName(String value) {

  private static final Pattern SYNTAX =
      Pattern.compile("[a-z][a-z0-9-]{0,39}(?:\\.[a-z0-9-]{1,20})?");

  public KeyName {
    if (!SYNTAX.matcher(value).matches()) {
      throw new IllegalArgumentException("not the name of a key: " + value);
    }
  }

  /** Returns the name of the key that signs an issuer's certificates and revocation lists. */
  public static KeyName of(IssuerName issuer) {
    return new KeyName(issuer.value());
  }

  @Override
  public String toString() {
    return value;
  }
}
