package org.sluiceca.api.acme.binding;

import java.security.SecureRandom;
import org.sluiceca.core.wire.jws.Base64Url;
import org.sluiceca.core.x509.OctetString;

/**
 * The name and the key of a binding that is being made.
 *
 * @param kid 22 characters of base64url, no secret
 * @param hmacKey 32 octets
 */
public record NewBinding(String kid, OctetString hmacKey) {

  private static final int KID_OCTETS = 16;
  private static final int KEY_OCTETS = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Returns fresh ones. Neither begins with a hyphen, which programs take for an option. */
  public static NewBinding next() {
    NewBinding fresh;
    do {
      fresh =
          new NewBinding(
              Base64Url.encode(random(KID_OCTETS)), OctetString.copyOf(random(KEY_OCTETS)));
    } while (fresh.kid().startsWith("-") || fresh.keyText().startsWith("-"));
    return fresh;
  }

  /** Returns the key as clients take it. */
  public String keyText() {
    return Base64Url.encode(hmacKey.octets());
  }

  private static byte[] random(int length) {
    byte[] octets = new byte[length];
    RANDOM.nextBytes(octets);
    return octets;
  }
}
