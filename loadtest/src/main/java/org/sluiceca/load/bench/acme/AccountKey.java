package org.sluiceca.load.bench.acme;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The P-256 key of an account, and the requests that it signs (RFC 7515, ES256). */
final class AccountKey {

  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

  private final KeyPair pair;
  private final String jwk;

  AccountKey() {
    try {
      KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
      keys.initialize(new ECGenParameterSpec("secp256r1"));
      pair = keys.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
    // The last 64 octets of a P-256 SubjectPublicKeyInfo are the point's coordinates.
    byte[] spki = pair.getPublic().getEncoded();
    // RFC 7638: the members in this order.
    jwk =
        "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\""
            + encoded(Arrays.copyOfRange(spki, spki.length - 64, spki.length - 32))
            + "\",\"y\":\""
            + encoded(Arrays.copyOfRange(spki, spki.length - 32, spki.length))
            + "\"}";
  }

  /** The octets as JWS and JWK have them. */
  static String encoded(byte[] octets) {
    return URL.encodeToString(octets);
  }

  /** Returns the key as a JWK. */
  String jwk() {
    return jwk;
  }

  /** Returns {@code "jwk":…}, by which a key names itself. */
  String named() {
    return "\"jwk\":" + jwk;
  }

  /** Returns the thumbprint of the key in base64url (RFC 7638). */
  String thumbprint() {
    try {
      return encoded(MessageDigest.getInstance("SHA-256").digest(utf8(jwk)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Signs a request.
   *
   * @param signer {@code "kid":"…"} or {@link #named}
   * @param payload empty for POST-as-GET
   */
  byte[] sign(String signer, String nonce, URI url, String payload) {
    String head =
        encoded(
            utf8(
                "{\"alg\":\"ES256\","
                    + signer
                    + ",\"nonce\":\""
                    + nonce
                    + "\",\"url\":\""
                    + url
                    + "\"}"));
    String body = encoded(utf8(payload));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(pair.getPrivate());
      signature.update(utf8(head + "." + body));
      return utf8(jws(head, body, signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has ECDSA", e);
    }
  }

  /**
   * Binds the key to an external account (RFC 8555 7.3.4).
   *
   * @param hmacKey in base64url, as the CA gave it
   */
  String bound(String kid, String hmacKey, URI newAccount) {
    String head =
        encoded(utf8("{\"alg\":\"HS256\",\"kid\":\"" + kid + "\",\"url\":\"" + newAccount + "\"}"));
    String body = encoded(utf8(jwk));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getUrlDecoder().decode(hmacKey), "HmacSHA256"));
      return jws(head, body, mac.doFinal(utf8(head + "." + body)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static String jws(String head, String body, byte[] signature) {
    return "{\"protected\":\""
        + head
        + "\",\"payload\":\""
        + body
        + "\",\"signature\":\""
        + encoded(signature)
        + "\"}";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
