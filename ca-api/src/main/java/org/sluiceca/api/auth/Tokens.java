package org.sluiceca.api.auth;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import org.sluiceca.core.x509.OctetString;

/** Makes and hashes bearer tokens. A token is shown once, to its owner; only its hash is kept. */
public final class Tokens {

  /** 256 bits cannot be guessed, so a fast hash protects them as well as a slow one. */
  private static final int OCTETS = 32;

  /** RFC 6750 2.1, and of its b64token only what {@link #next} makes: the rest is never hashed. */
  private static final String BEARER = "Bearer";

  private static final int SPACES_MAX = 8;
  private static final int CHARACTERS = 43;

  private static final SecureRandom RANDOM = new SecureRandom();

  private Tokens() {}

  /** Returns a fresh token: 43 characters of base64url. */
  public static String next() {
    byte[] bits = new byte[OCTETS];
    RANDOM.nextBytes(bits);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  /** Returns the token in an Authorization header; empty if there can be none of ours in it. */
  public static Optional<String> bearer(String authorization) {
    int token = authorization.length() - CHARACTERS;
    int spaces = token - BEARER.length();
    if (spaces < 1
        || spaces > SPACES_MAX
        || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return Optional.empty();
    }
    for (int i = BEARER.length(); i < authorization.length(); i++) {
      char character = authorization.charAt(i);
      if (i < token ? character != ' ' : !isBase64Url(character)) {
        return Optional.empty();
      }
    }
    return Optional.of(authorization.substring(token));
  }

  /**
   * Returns the JWT in an Authorization header; empty if it has not the form of one: three parts of
   * base64url, of which no token of ours has a second.
   */
  public static Optional<String> jwt(String authorization) {
    int token = BEARER.length() + 1;
    if (!authorization.regionMatches(true, 0, BEARER + " ", 0, token)) {
      return Optional.empty();
    }
    int dots = 0;
    for (int i = token; i < authorization.length(); i++) {
      char character = authorization.charAt(i);
      if (character == '.') {
        dots++;
      } else if (!isBase64Url(character)) {
        return Optional.empty();
      }
    }
    return dots == 2 ? Optional.of(authorization.substring(token)) : Optional.empty();
  }

  /** Returns whether a text may be a token: whether it has the form of those that we make. */
  public static boolean isToken(String text) {
    return text.length() == CHARACTERS && text.chars().allMatch(c -> isBase64Url((char) c));
  }

  private static boolean isBase64Url(char character) {
    return (character >= 'A' && character <= 'Z')
        || (character >= 'a' && character <= 'z')
        || (character >= '0' && character <= '9')
        || character == '-'
        || character == '_';
  }

  /** Returns what the registry keeps of a token. */
  public static OctetString hash(String token) {
    return Authenticator.sha256(token.getBytes(StandardCharsets.UTF_8));
  }
}
