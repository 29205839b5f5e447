package org.sluiceca.load.acme;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/** The P-256 key of an account, and what it signs. Thread-safe. */
public final class AccountKey {

  private final KeyPair pair;
  private final Map<String, String> jwk;
  private final String canonical;

  /** A new key. */
  public AccountKey() {
    this(newPair());
  }

  public AccountKey(KeyPair pair) {
    this.pair = pair;
    // The last 64 octets of a P-256 SubjectPublicKeyInfo are the point's coordinates.
    byte[] spki = pair.getPublic().getEncoded();
    String x = Jws.encoded(Arrays.copyOfRange(spki, spki.length - 64, spki.length - 32));
    String y = Jws.encoded(Arrays.copyOfRange(spki, spki.length - 32, spki.length));
    jwk = Map.of("crv", "P-256", "kty", "EC", "x", x, "y", y);
    canonical = "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"" + x + "\",\"y\":\"" + y + "\"}";
  }

  /** Makes a P-256 key. */
  public static KeyPair newPair() {
    try {
      KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
      keys.initialize(new ECGenParameterSpec("secp256r1"));
      return keys.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /** Returns the members of the public key as a JWK (RFC 7517). */
  public Map<String, String> jwk() {
    return jwk;
  }

  /** Returns the JWK as its thumbprint takes it (RFC 7638 3). */
  public String canonical() {
    return canonical;
  }

  /** Returns {@code "jwk":…}, by which a key names itself. */
  public String named() {
    return "\"jwk\":" + canonical;
  }

  /** Returns what proves that the account has seen a token (RFC 8555 8.1). */
  public String keyAuthorization(String token) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return token + "." + Jws.encoded(digest.digest(Jws.utf8(canonical)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Signs a request (RFC 8555 6.2).
   *
   * @param signer {@code "kid":"…"} or {@link #named}
   * @param payload empty for POST-as-GET
   */
  public Jws request(String signer, String nonce, String url, String payload) {
    return sign(
        "{\"alg\":\"ES256\"," + signer + ",\"nonce\":\"" + nonce + "\",\"url\":\"" + url + "\"}",
        payload);
  }

  /** Signs whatever the header says. */
  public Jws sign(String header, String payload) {
    return Jws.es256(pair.getPrivate(), header, payload);
  }

  /**
   * Binds the key to an external account (RFC 8555 7.3.4).
   *
   * @param hmacKey in base64url, as the CA gave it
   */
  public Jws bound(String kid, String hmacKey, String newAccount) {
    return Jws.hs256(
        Base64.getUrlDecoder().decode(hmacKey),
        "{\"alg\":\"HS256\",\"kid\":\"" + kid + "\",\"url\":\"" + newAccount + "\"}",
        canonical);
  }
}
