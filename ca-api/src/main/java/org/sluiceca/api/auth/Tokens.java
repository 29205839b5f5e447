package org.sluiceca.api.auth;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import org.sluiceca.core.x509.OctetString;

/** Makes and hashes bearer tokens. A token is shown once, to its owner; only its hash is kept. */
public final class Tokens {

  /** 256 bits cannot be guessed, so a fast hash protects them as well as a slow one. */
  private static final int OCTETS = 32;

  private static final SecureRandom RANDOM = new SecureRandom();

  private Tokens() {}

  /** Returns a fresh token: 43 characters of base64url. */
  public static String next() {
    byte[] bits = new byte[OCTETS];
    RANDOM.nextBytes(bits);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  /** Returns what the registry keeps of a token. */
  public static OctetString hash(String token) {
    return Authenticator.sha256(token.getBytes(StandardCharsets.UTF_8));
  }
}
