package org.sluiceca.core.wire.jws;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import java.math.BigInteger;
import java.text.ParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyWriter;
import org.sluiceca.core.wire.json.JsonException;
import org.sluiceca.core.wire.json.JsonObject;
import org.sluiceca.core.wire.jws.JwsException.Kind;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * A public key that came as a JWK (RFC 7517): RSA, EC on P-256, P-384 or P-521, or Ed25519. Whether
 * it is strong enough has not been asked.
 *
 * @param key the same key, as certificates hold it
 * @param thumbprint RFC 7638 with SHA-256, 43 characters of base64url: the name of an ACME
 *     account's key, and the second half of a key authorization (RFC 8555 8.1)
 */
public record PublicJwk(SubjectPublicKeyInfo key, String thumbprint) {

  /** What RFC 7518 6.2.2, 6.3.2 and RFC 8037 2 keep secret. */
  private static final List<String> SECRET = List.of("d", "p", "q", "dp", "dq", "qi", "oth", "k");

  /** As many as an RSA key of 8192 bits has. */
  private static final int NUMBER_OCTETS_MAX = 1024;

  /** The time of a verification grows with the exponent, and anyone may send a key. */
  private static final int EXPONENT_BITS_MAX = 64;

  /**
   * Reads a key. Members that are not the key's own, such as {@code kid} and {@code use}, say
   * nothing here and are passed over.
   *
   * @throws JwsException KEY_NOT_SUPPORTED for another kind or curve, for a point that is not on
   *     it, and for a private key, whose owner must give it up
   */
  public static PublicJwk read(JsonObject jwk) throws JwsException {
    for (String secret : SECRET) {
      if (jwk.names().contains(secret)) {
        throw notSupported(
            "jwk is a private or secret key: it is no secret any more, make another");
      }
    }
    try {
      return switch (jwk.text("kty")) {
        case "RSA" -> rsa(parse(jwk, "n", "e").toRSAKey());
        case "EC" -> ec(jwk);
        case "OKP" -> okp(jwk);
        default -> throw notSupported("jwk.kty is not supported: use RSA, EC or OKP");
      };
    } catch (JsonException e) {
      throw JwsException.of("jwk", e);
    }
  }

  /**
   * Returns the thumbprint that a key has which came by another way, such as in a CSR; empty for
   * one that is of none of these kinds, or no key at all.
   */
  public static Optional<String> thumbprint(SubjectPublicKey key) {
    try {
      JWK jwk =
          switch (key) {
            case SubjectPublicKey.Rsa rsa ->
                new RSAKey.Builder(
                        Base64URL.encode(rsa.modulus()), Base64URL.encode(rsa.publicExponent()))
                    .build();
            case SubjectPublicKey.Ec ec ->
                new ECKey.Builder(
                        curve(ec.algorithm()),
                        ECKey.encodeCoordinate(ec.algorithm().curveBits(), ec.x()),
                        ECKey.encodeCoordinate(ec.algorithm().curveBits(), ec.y()))
                    .build();
            case SubjectPublicKey.EdDsa edDsa ->
                new OctetKeyPair.Builder(
                        edDsa.algorithm() == PublicKeyAlgorithm.ED25519
                            ? Curve.Ed25519
                            : Curve.Ed448,
                        Base64URL.encode(edDsa.point().octets()))
                    .build();
          };
      return Optional.of(jwk.computeThumbprint().toString());
    } catch (IllegalArgumentException | IllegalStateException e) {
      // A point that is not on its curve: no account has it.
      return Optional.empty();
    } catch (JOSEException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static Curve curve(PublicKeyAlgorithm algorithm) {
    return switch (algorithm) {
      case EC_P256 -> Curve.P_256;
      case EC_P384 -> Curve.P_384;
      case EC_P521 -> Curve.P_521;
      case RSA, ED25519, ED448 -> throw new IllegalArgumentException(algorithm + " has no curve");
    };
  }

  private static PublicJwk rsa(RSAKey key) throws JwsException {
    BigInteger exponent = number(key.getPublicExponent());
    if (exponent.bitLength() > EXPONENT_BITS_MAX || !exponent.testBit(0)) {
      throw notSupported("jwk.e is even, or has more than " + EXPONENT_BITS_MAX + " bits");
    }
    return of(key, new SubjectPublicKey.Rsa(number(key.getModulus()), exponent));
  }

  private static BigInteger number(Base64URL value) throws JwsException {
    byte[] octets = value.decode();
    // RFC 7518 2: the least number of octets; 0 is none.
    if (octets.length == 0 || octets[0] == 0 || octets.length > NUMBER_OCTETS_MAX) {
      throw notSupported("jwk has a number of 0, with leading zeros, or of more than 8192 bits");
    }
    return new BigInteger(1, octets);
  }

  private static PublicJwk ec(JsonObject jwk) throws JwsException, JsonException {
    PublicKeyAlgorithm algorithm =
        switch (jwk.text("crv")) {
          case "P-256" -> PublicKeyAlgorithm.EC_P256;
          case "P-384" -> PublicKeyAlgorithm.EC_P384;
          case "P-521" -> PublicKeyAlgorithm.EC_P521;
          default -> throw notSupported("jwk.crv is not supported: use P-256, P-384 or P-521");
        };
    ECKey key = parse(jwk, "crv", "x", "y").toECKey();
    return of(
        key,
        new SubjectPublicKey.Ec(
            algorithm, coordinate(key.getX(), algorithm), coordinate(key.getY(), algorithm)));
  }

  /** RFC 7518 6.2.1.2: as long as the curve's field, zeros included. */
  private static BigInteger coordinate(Base64URL value, PublicKeyAlgorithm algorithm)
      throws JwsException {
    byte[] octets = value.decode();
    if (octets.length != (algorithm.curveBits() + 7) / 8) {
      throw notSupported("jwk has a coordinate that is not as long as the field of its curve");
    }
    return new BigInteger(1, octets);
  }

  private static PublicJwk okp(JsonObject jwk) throws JwsException, JsonException {
    if (!jwk.text("crv").equals(Curve.Ed25519.getName())) {
      throw notSupported("jwk.crv is not supported: use Ed25519");
    }
    OctetKeyPair key = parse(jwk, "crv", "x").toOctetKeyPair();
    return of(
        key,
        new SubjectPublicKey.EdDsa(
            PublicKeyAlgorithm.ED25519, OctetString.copyOf(key.getX().decode())));
  }

  /** Hands over the key's own members only, each a text in base64url or a name. */
  private static JWK parse(JsonObject jwk, String... names) throws JwsException, JsonException {
    Map<String, @Nullable Object> members = new HashMap<>();
    members.put("kty", jwk.text("kty"));
    for (String name : names) {
      String value = jwk.text(name);
      if (!name.equals("crv")) {
        Base64Url.decode("jwk." + name, value);
      }
      members.put(name, value);
    }
    try {
      return JWK.parse(members);
    } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
      throw notSupported("jwk is no public key");
    }
  }

  private static PublicJwk of(JWK jwk, SubjectPublicKey key) throws JwsException {
    try {
      return new PublicJwk(PublicKeyWriter.write(key), jwk.computeThumbprint().toString());
    } catch (DerException e) {
      throw notSupported("jwk: " + e.fault());
    } catch (JOSEException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static JwsException notSupported(String fault) {
    return new JwsException(Kind.KEY_NOT_SUPPORTED, fault);
  }
}
