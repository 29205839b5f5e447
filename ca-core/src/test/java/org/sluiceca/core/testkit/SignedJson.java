package org.sluiceca.core.testkit;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.util.BigIntegers;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;

/** Makes JWS and JWK as a client would, by the JDK alone: it shares no code with the reader. */
public final class SignedJson {

  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

  private SignedJson() {}

  /** Returns a message of this header and payload, signed by {@code key}. */
  public static byte[] signed(SoftwareKey key, String header, String payload) {
    String input = url(header) + "." + url(payload);
    return whole(
            url(header),
            url(payload),
            URL.encodeToString(
                signature(key, OctetString.copyOf(input.getBytes(StandardCharsets.US_ASCII)))))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the three parts as a message, whatever they are. */
  public static String whole(String header, String payload, String signature) {
    return "{\"protected\":\""
        + header
        + "\",\"payload\":\""
        + payload
        + "\",\"signature\":\""
        + signature
        + "\"}";
  }

  /** Returns the header that RFC 8555 asks for, with the key in it. */
  public static String header(SoftwareKey key, String nonce, String url) {
    return "{\"alg\":\""
        + algorithm(key)
        + "\",\"jwk\":"
        + jwk(key)
        + ",\"nonce\":\""
        + nonce
        + "\",\"url\":\""
        + url
        + "\"}";
  }

  /** Returns the public key as a JWK whose members are in the order of RFC 7638. */
  public static String jwk(SoftwareKey key) {
    return switch (key.publicKey().key()) {
      case SubjectPublicKey.Rsa rsa ->
          "{\"e\":\""
              + number(rsa.publicExponent())
              + "\",\"kty\":\"RSA\",\"n\":\""
              + number(rsa.modulus())
              + "\"}";
      case SubjectPublicKey.Ec ec ->
          "{\"crv\":\"P-"
              + ec.algorithm().curveBits()
              + "\",\"kty\":\"EC\",\"x\":\""
              + coordinate(ec.x(), ec)
              + "\",\"y\":\""
              + coordinate(ec.y(), ec)
              + "\"}";
      case SubjectPublicKey.EdDsa edDsa ->
          "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\""
              + URL.encodeToString(edDsa.point().octets())
              + "\"}";
    };
  }

  /** Returns the algorithm that goes with a key. */
  public static String algorithm(SoftwareKey key) {
    return switch (key.publicKey().key().algorithm()) {
      case RSA -> "RS256";
      case EC_P256 -> "ES256";
      case EC_P384 -> "ES384";
      case EC_P521 -> "ES512";
      case ED25519, ED448 -> "EdDSA";
    };
  }

  /** Returns base64url of a text. */
  public static String url(String text) {
    return URL.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] signature(SoftwareKey key, OctetString input) {
    return switch (key.publicKey().key()) {
      case SubjectPublicKey.Rsa _ -> key.sign(SignatureAlgorithm.RSA_PKCS1_SHA256, input).octets();
      case SubjectPublicKey.Ec ec ->
          plain(key.sign(SignatureAlgorithm.ofIssuer(ec), input).octets(), octets(ec));
      case SubjectPublicKey.EdDsa _ -> key.sign(SignatureAlgorithm.ED25519, input).octets();
    };
  }

  /** RFC 7518 3.4. */
  private static byte[] plain(byte[] der, int octets) {
    ASN1Sequence pair = ASN1Sequence.getInstance(der);
    byte[] plain = Arrays.copyOf(half(pair, 0, octets), 2 * octets);
    System.arraycopy(half(pair, 1, octets), 0, plain, octets, octets);
    return plain;
  }

  private static byte[] half(ASN1Sequence pair, int at, int octets) {
    return BigIntegers.asUnsignedByteArray(
        octets, ASN1Integer.getInstance(pair.getObjectAt(at)).getPositiveValue());
  }

  private static String number(BigInteger value) {
    return URL.encodeToString(BigIntegers.asUnsignedByteArray(value));
  }

  private static String coordinate(BigInteger value, SubjectPublicKey.Ec ec) {
    return URL.encodeToString(BigIntegers.asUnsignedByteArray(octets(ec), value));
  }

  private static int octets(SubjectPublicKey.Ec ec) {
    return (ec.algorithm().curveBits() + 7) / 8;
  }
}
