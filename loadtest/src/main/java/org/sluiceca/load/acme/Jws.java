package org.sluiceca.load.acme;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A JSON Web Signature (RFC 7515), its three parts in base64url. What is signed is taken as it is,
 * valid JSON or not.
 */
public record Jws(String header, String payload, String signature) {

  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

  /** Signs by a P-256 key (RFC 7518 3.4). */
  public static Jws es256(PrivateKey key, String header, String payload) {
    String head = encoded(utf8(header));
    String body = encoded(utf8(payload));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(key);
      signature.update(utf8(head + "." + body));
      return new Jws(head, body, encoded(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has ECDSA", e);
    }
  }

  /** Signs by a shared key (RFC 7518 3.2). */
  static Jws hs256(byte[] key, String header, String payload) {
    String head = encoded(utf8(header));
    String body = encoded(utf8(payload));
    return new Jws(head, body, encoded(hmac(key, utf8(head + "." + body))));
  }

  /** Returns HMAC-SHA-256. */
  public static byte[] hmac(byte[] key, byte[] text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** Returns the octets in base64url without padding, as JWS and ACME have them. */
  public static String encoded(byte[] octets) {
    return URL.encodeToString(octets);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the compact serialization (RFC 7515 7.1). */
  public String compact() {
    return header + "." + payload + "." + signature;
  }

  /** Returns the flattened JSON serialization (RFC 7515 7.2.2), which ACME takes. */
  public String json() {
    return "{\"protected\":\""
        + header
        + "\",\"payload\":\""
        + payload
        + "\",\"signature\":\""
        + signature
        + "\"}";
  }

  /** Returns the members of {@link #json}. */
  public Map<String, String> members() {
    return Map.of("protected", header, "payload", payload, "signature", signature);
  }
}
